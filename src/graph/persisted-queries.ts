import { hash, hkdfSync } from 'node:crypto';
import type { Caller } from '../access/caller.js';
import { BadRequest, PersistedQueryNotFound } from '../errors.js';
import type { RateCounter } from '../platform/cluster/rate-counter.js';
import type { SealedStore } from '../platform/cluster/sealed-store.js';
import { seal, unseal } from '../platform/crypto/sealing.js';
import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';

const KEPT_SECONDS = 24 * 3_600;
/** Longer texts are sent each time. */
const KEPT_CHARACTERS = 32 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Operations that are asked for by the SHA-256 of their text (Apollo's automatic persisted queries). They are shared by
 * every process where there is a Redis, bounded by the room that the store has, and sealed under a key that only the
 * hash gives, since a text may hold values.
 */
export class PersistedQueries {
  /**
   * @param store of its own: whoever fills it takes nothing but other persisted queries
   * @param limiter how many a user may have kept in a minute
   */
  constructor(
    private readonly store: SealedStore,
    private readonly limiter: Pick<RateCounter, 'take'>,
  ) {}

  /**
   * The text of an operation.
   * @param query as it came; undefined where the hash alone was sent
   * @param extension the `persistedQuery` member of the request's extensions
   * @throws PersistedQueryNotFound, after which a client sends text and hash; BadRequest where they differ
   */
  async textOf(query: string | undefined, extension: unknown): Promise<string> {
    const sha256 = hashOf(extension);
    if (query === undefined) {
      const text = await this.find(sha256);
      if (text === undefined) throw new PersistedQueryNotFound();
      return text;
    }
    if (hash('sha256', query) !== sha256)
      throw new BadRequest('The hash of the persisted query is not that of its text.');
    return query;
  }

  /** Keeps the text of a valid operation for everybody. Never fails: what is not kept is asked for again. */
  async save({ userId }: Caller, query: string): Promise<void> {
    const sha256 = hash('sha256', query);
    if (query.length > KEPT_CHARACTERS || (await this.find(sha256)) !== undefined) return;
    if ((await this.limiter.take(userId)).isRefused) return;
    const { handle, key } = keysOf(sha256);
    const sealed = seal(key, Buffer.from(query), Buffer.from(handle));
    await this.store.set(handle, sealed, KEPT_SECONDS, userId).catch(() => undefined);
  }

  private async find(sha256: string): Promise<string | undefined> {
    const { handle, key } = keysOf(sha256);
    const sealed = await this.store.get(handle).catch(() => undefined);
    return sealed && unseal(key, sealed, Buffer.from(handle))?.toString('utf8');
  }
}

function hashOf(extension: unknown): string {
  const { version, sha256Hash }: JsonObject = isJsonObject(extension) ? extension : {};
  if (version === 1 && typeof sha256Hash === 'string' && SHA256.test(sha256Hash)) return sha256Hash;
  throw new BadRequest('extensions.persistedQuery must have version 1 and the SHA-256 of the query in hex.');
}

function keysOf(sha256: string): { readonly handle: string; readonly key: Buffer } {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', sha256, '', `persisted query ${purpose}`, 32));
  return { handle: `persisted-query:${derive('handle').toString('base64url')}`, key: derive('key') };
}
