import type { JsonWebKey } from 'node:crypto';
import { timingSafeEqual } from 'node:crypto';
import { compactVerify, decodeJwt, importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import { z } from 'zod';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import { macOfKey } from './audit-key.entity.js';
import type { ChainEnd } from './chain-end.js';

/** What tells a checkpoint from whatever else the installation signs. */
export const CHECKPOINT_TYPE = 'audit-checkpoint+jwt';
const ALGORITHM = 'ES256';

const content = z.object({
  chain: z.string(),
  sequence: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  purpose: z.enum(['checkpoint', 'retention']),
  created_at: z.iso.datetime(),
  mac: z.string(),
});

/** What a checkpoint says, once it is known to be this installation's. */
export interface SignedEnd extends ChainEnd {
  readonly hash: string;
  readonly purpose: CheckpointPurpose;
}

/** A checkpoint of the database, with its key; somebody else may have written both. */
export interface StoredCheckpoint {
  readonly kid: string;
  readonly token: string;
  /** Null, as its MAC: there is no key of that name. */
  readonly publicJwk: JsonWebKey | null;
  readonly keyMac: Buffer | null;
}

/** What shows to this installation that a checkpoint is its own, whatever has become of the public keys. */
export function macOfCheckpoint(
  secretBox: Pick<SecretBox, 'mac'>,
  claims: Omit<z.infer<typeof content>, 'mac'>,
): Buffer {
  const { chain, sequence, hash, purpose, created_at: createdAt } = claims;
  return secretBox.mac('audit-checkpoint', chain, String(sequence), hash, purpose, createdAt);
}

/** Reads what was signed of chains. */
export class CheckpointReader {
  constructor(private readonly secretBox: Pick<SecretBox, 'mac'>) {}

  /** What a checkpoint says; undefined where this installation has not made it. */
  read(token: string): SignedEnd | undefined {
    try {
      const claims = content.parse(decodeJwt(token));
      const mac = Buffer.from(claims.mac, 'base64url');
      const own = macOfCheckpoint(this.secretBox, claims);
      if (mac.length !== own.length || !timingSafeEqual(mac, own)) return undefined;
      const { chain, sequence, hash, purpose } = claims;
      return { chain, sequence, hash, purpose };
    } catch {
      return undefined;
    }
  }

  /** What a checkpoint of the database says; undefined where its signature does not verify with the key that is there. */
  async readStored(stored: StoredCheckpoint): Promise<SignedEnd | undefined> {
    const { kid, token } = stored;
    const claims = this.read(token);
    if (!claims) return undefined;
    try {
      const key = await this.readKey(stored);
      const { protectedHeader } = await compactVerify(token, key, { algorithms: [ALGORITHM] });
      return protectedHeader.kid === kid && protectedHeader.typ === CHECKPOINT_TYPE ? claims : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * The public half of a key.
   * @throws Error where the database has another than this installation has put there
   */
  private async readKey({ kid, publicJwk, keyMac }: StoredCheckpoint): Promise<CryptoKey | Uint8Array> {
    const isKey = typeof publicJwk === 'object' && publicJwk !== null;
    if (!isKey || !keyMac?.equals(macOfKey(this.secretBox, kid, publicJwk))) throw new Error('The key is another one.');
    return importJWK(publicJwk, ALGORITHM);
  }
}
