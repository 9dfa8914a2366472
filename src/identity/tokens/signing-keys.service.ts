import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { IsNull, LessThan, MoreThan } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { newId } from '../../platform/ids.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { wrongSecretKey } from '../../platform/crypto/wrong-secret-key.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { SigningKey } from './signing-key.entity.js';

/** The lifetime of an access token (docs/api.md, Authentication). */
export const ACCESS_TOKEN_SECONDS = 3_600;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a new key is published before it signs: longer than any replica takes to look for new keys. */
const PUBLISH_AHEAD_MS = 10 * 60 * 1_000;
/** How long a key stays published after its last token has expired, for clocks that differ. */
const RETIRE_LATER_MS = 10 * 60 * 1_000;
/** Tokens with an unknown key make us look for new ones no more often than this. */
const RELOAD_AT_MOST_EVERY_MS = 5_000;
const PURPOSE = 'signing-key';

interface LoadedKey {
  readonly kid: string;
  readonly activatesAt: Date;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
  readonly jwk: JsonWebKey;
}

/** The keys that sign access tokens; they live in the database, so that all replicas sign and verify alike. */
export class SigningKeysService {
  /** The oldest first. */
  private keys: ReadonlyMap<string, LoadedKey> = new Map();
  private publicKeys: { keys: JsonWebKey[] } = { keys: [] };
  private reloadedAt = 0;
  private reloading: Promise<void> = Promise.resolve();

  /** @param maxAgeDays an older key gets a successor */
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
    private readonly maxAgeDays: number,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Makes the first key, or the successor of one that is too old, unless another replica has done so; then reads all.
   * @throws ConfigError when the secret key does not open the private keys
   */
  async refresh(): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await lockInTransaction(tx, 'signing-keys');
      const newest = (await tx.find(SigningKey, { order: { activatesAt: 'DESC' }, take: 1 }))[0];
      const now = Date.now();
      if (newest && newest.createdAt.getTime() + this.maxAgeDays * DAY_MS > now) return;
      const activatesAt = new Date(newest ? now + PUBLISH_AHEAD_MS : now);
      if (newest) {
        const retiresAt = new Date(activatesAt.getTime() + ACCESS_TOKEN_SECONDS * 1_000 + RETIRE_LATER_MS);
        await tx.update(SigningKey, { kid: newest.kid }, { retiresAt });
      }
      const key = this.generate(activatesAt);
      await tx.insert(SigningKey, key);
      const target = { type: 'signing_key', id: key.kid };
      await this.audit.record(tx, SYSTEM, { tenantId: null, action: 'signing_key.create', target });
      await tx.delete(SigningKey, { retiresAt: LessThan(new Date(now)) });
    });
    await this.load();
  }

  /** The key that signs now. */
  current(): { readonly kid: string; readonly privateKey: KeyObject } {
    const keys = [...this.keys.values()];
    const now = Date.now();
    // The first key signs at once, also where this clock is behind that of the replica which made it.
    const key = keys.findLast((candidate) => candidate.activatesAt.getTime() <= now) ?? keys[0];
    if (!key) throw new Error('The signing keys have not been read.');
    return key;
  }

  /** Reads the keys again if this one is unknown; does nothing if that has been tried a moment ago. */
  async reloadIfUnknown(kid: string): Promise<void> {
    if (this.keys.has(kid)) return;
    if (Date.now() - this.reloadedAt >= RELOAD_AT_MOST_EVERY_MS) {
      this.reloadedAt = Date.now();
      this.reloading = this.load();
    }
    await this.reloading;
  }

  /** The public key as PEM; undefined for a key that we do not know. */
  publicPem(kid: string): string | undefined {
    return this.keys.get(kid)?.publicPem;
  }

  /** The public keys (RFC 7517), those that do not sign yet and no longer included: one object until they are read anew. */
  jwks(): { keys: JsonWebKey[] } {
    return this.publicKeys;
  }

  private async load(): Promise<void> {
    const rows = await this.dataSource.getRepository(SigningKey).find({
      where: [{ retiresAt: MoreThan(new Date()) }, { retiresAt: IsNull() }],
      order: { activatesAt: 'ASC' },
    });
    this.keys = new Map(rows.map((row) => [row.kid, this.keys.get(row.kid) ?? this.open(row)]));
    this.publicKeys = { keys: [...this.keys.values()].map((key) => key.jwk) };
  }

  private open(row: SigningKey): LoadedKey {
    return {
      kid: row.kid,
      activatesAt: row.activatesAt,
      privateKey: createPrivateKey({ key: this.unseal(row), format: 'der', type: 'pkcs8' }),
      publicPem: createPublicKey({ key: row.publicJwk, format: 'jwk' })
        .export({ format: 'pem', type: 'spki' })
        .toString(),
      jwk: { ...row.publicJwk, kid: row.kid, alg: row.algorithm, use: 'sig' },
    };
  }

  private unseal(row: SigningKey): Buffer {
    try {
      return this.secretBox.unseal(PURPOSE, row.privateSealed, row.kid);
    } catch {
      throw wrongSecretKey();
    }
  }

  private generate(activatesAt: Date): SigningKey {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = newId('key');
    const privateDer = privateKey.export({ format: 'der', type: 'pkcs8' });
    return {
      kid,
      algorithm: 'ES256',
      publicJwk: publicKey.export({ format: 'jwk' }),
      privateSealed: this.secretBox.seal(PURPOSE, privateDer, kid),
      createdAt: new Date(),
      activatesAt,
      retiresAt: null,
    };
  }
}
