import { PlatformError, Unavailable } from '../../errors.js';
import { MEBIBYTE } from '../../platform/config/variables.js';
import type { CallOwner, TokenReference } from '../../access/caller.js';
import type { CallContext } from '../../inference/domain.js';
import type { SealedStore } from '../../platform/cluster/sealed-store.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { parseJsonObject } from '../../platform/json/json-object.js';
import type { SpeechOrder } from './speech-request.js';

const SECONDS = 5 * 60;
/** What whoever is refused is told to wait. */
const RETRY_SECONDS = 10;
const PURPOSE = 'speech-order';
/** What waits in the memory of this process, as JSON, in bytes: of one user and of all. */
const USER_BYTES = 4 * MEBIBYTE;
const ALL_BYTES = 64 * MEBIBYTE;

/** A text whose speech may be fetched. */
export interface OrderedSpeech {
  readonly caller: CallOwner;
  /** That it was ordered with: it is spoken only while that counts. */
  readonly token: TokenReference;
  readonly order: SpeechOrder;
  readonly context: Omit<CallContext, 'signal'>;
}

interface KeptOrder extends OrderedSpeech {
  readonly timer: NodeJS.Timeout;
  readonly bytes: number;
}

/**
 * Keeps what is to be spoken until it is fetched, which can be done once: in this process, with the request that asked,
 * and for other replicas sealed in Redis, where there is one. Never on a disk.
 */
export class SpeechOrders {
  private readonly kept = new Map<string, KeptOrder>();
  /** Those that are taken; undefined until all replicas know. */
  private readonly taken = new Map<string, OrderedSpeech | undefined>();
  private readonly bytesByUser = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly store: SealedStore,
    private readonly secretBox: Pick<SecretBox, 'seal' | 'unseal'>,
  ) {}

  /** What waits in this process, in bytes as JSON, and how many are sent. */
  get usage(): { readonly waitingBytes: number; readonly taken: number } {
    return { waitingBytes: this.bytes, taken: this.taken.size };
  }

  /**
   * @param key of 128 random bits
   * @throws PlatformError 429 where too much of the user waits already; Unavailable, also where too much of all does
   */
  async put(key: string, ordered: OrderedSpeech): Promise<void> {
    const { caller, token, order, context } = ordered;
    const { requestId, serverRequestId } = context;
    const content = Buffer.from(JSON.stringify({ caller, token, order, context: { requestId, serverRequestId } }));
    this.keep(key, ordered, content.length);
    // A caller's own key never leaves the process.
    if (context.byok) return;
    await this.store.set(handleOf(key), this.secretBox.seal(PURPOSE, content), SECONDS, caller.tenantId);
  }

  /** Undefined where it is too old, or was fetched; found while it is sent. @throws Unavailable */
  async find(key: string): Promise<OrderedSpeech | undefined> {
    const kept = this.kept.get(key) ?? this.taken.get(key);
    if (kept) return kept;
    const sealed = await this.store.get(handleOf(key));
    if (!sealed || sealed.length === 0) return undefined;
    return parseJsonObject(this.secretBox.unseal(PURPOSE, sealed)) as unknown as OrderedSpeech;
  }

  /**
   * Takes it for whoever fetches it now; false where somebody has.
   * @param signal aborted when it was sent, or cannot be: nothing is kept of it from then on
   * @throws Unavailable
   */
  async begin(key: string, signal: AbortSignal): Promise<boolean> {
    if (this.taken.has(key)) return false;
    this.taken.set(key, undefined);
    try {
      const ordered = await this.find(key);
      if (!ordered) return false;
      this.drop(key);
      const { caller, context } = ordered;
      if (!context.byok) await this.store.set(handleOf(key), Buffer.alloc(0), SECONDS, caller.tenantId);
      if (!signal.aborted) this.taken.set(key, ordered);
      return true;
    } finally {
      if (!this.taken.get(key)) this.taken.delete(key);
      else signal.addEventListener('abort', () => this.taken.delete(key), { once: true });
    }
  }

  /** Drops all. */
  close(): void {
    for (const key of this.kept.keys()) this.drop(key);
  }

  /** Nobody's orders are dropped for those of others. */
  private keep(key: string, ordered: OrderedSpeech, bytes: number): void {
    const user = userOf(ordered);
    const ofUser = (this.bytesByUser.get(user) ?? 0) + bytes;
    if (ofUser > USER_BYTES) throw tooMany();
    if (this.bytes + bytes > ALL_BYTES) throw new Unavailable('Too many texts wait to be fetched.', RETRY_SECONDS);
    const timer = setTimeout(() => this.drop(key), SECONDS * 1_000).unref();
    this.kept.set(key, { ...ordered, timer, bytes });
    this.bytesByUser.set(user, ofUser);
    this.bytes += bytes;
  }

  private drop(key: string): void {
    const kept = this.kept.get(key);
    if (!kept) return;
    clearTimeout(kept.timer);
    this.kept.delete(key);
    this.bytes -= kept.bytes;
    const user = userOf(kept);
    const left = (this.bytesByUser.get(user) ?? 0) - kept.bytes;
    if (left > 0) this.bytesByUser.set(user, left);
    else this.bytesByUser.delete(user);
  }
}

function userOf({ caller }: OrderedSpeech): string {
  return JSON.stringify([caller.tenantId, caller.userId]);
}

function tooMany(): PlatformError {
  const message = 'Too many texts of yours wait to be fetched: fetch them, or wait until they are dropped.';
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new PlatformError(429, 'rate_limit_exceeded', 'rate_limit_exceeded', message, { headers });
}

function handleOf(key: string): string {
  return `speech:${key}`;
}
