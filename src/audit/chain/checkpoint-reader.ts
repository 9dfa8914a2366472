import type { JsonWebKey } from 'node:crypto';
import { timingSafeEqual } from 'node:crypto';
import { compactVerify, decodeJwt, importJWK } from 'jose';
import type { DataSource, EntityManager } from 'typeorm';
import { z } from 'zod';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import { AuditKey, macOfKey } from './audit-key.entity.js';
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
  readonly hash: Buffer;
  readonly purpose: CheckpointPurpose;
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
  constructor(
    private readonly dataSource: Pick<DataSource | EntityManager, 'getRepository'>,
    private readonly secretBox: Pick<SecretBox, 'mac'>,
  ) {}

  /** What a checkpoint says; undefined where this installation has not made it. */
  read(token: string): SignedEnd | undefined {
    try {
      const claims = content.parse(decodeJwt(token));
      const mac = Buffer.from(claims.mac, 'base64url');
      const own = macOfCheckpoint(this.secretBox, claims);
      if (mac.length !== own.length || !timingSafeEqual(mac, own)) return undefined;
      const { chain, sequence, hash, purpose } = claims;
      return { chain, sequence, hash: Buffer.from(hash, 'hex'), purpose };
    } catch {
      return undefined;
    }
  }

  /** What a checkpoint of the database says; undefined where its signature does not verify with the key that is there. */
  async readStored(kid: string, token: string): Promise<SignedEnd | undefined> {
    const claims = this.read(token);
    const key = claims && (await this.findKey(kid));
    if (!key) return undefined;
    try {
      const { protectedHeader } = await compactVerify(token, await importJWK(key, ALGORITHM), {
        algorithms: [ALGORITHM],
      });
      return protectedHeader.kid === kid && protectedHeader.typ === CHECKPOINT_TYPE ? claims : undefined;
    } catch {
      return undefined;
    }
  }

  /** The public half of a key; undefined where the database has another than this installation has put there. */
  private async findKey(kid: string): Promise<JsonWebKey | undefined> {
    const row = await this.dataSource.getRepository(AuditKey).findOneBy({ kid });
    const isKey = typeof row?.publicJwk === 'object' && row.publicJwk !== null;
    return isKey && row.mac.equals(macOfKey(this.secretBox, kid, row.publicJwk)) ? row.publicJwk : undefined;
  }
}
