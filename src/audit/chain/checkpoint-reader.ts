import type { JsonWebKey } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import type { DataSource } from 'typeorm';
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
});

/** What a checkpoint says, once its signature is known to be this installation's. */
export interface SignedEnd extends ChainEnd {
  readonly hash: Buffer;
  readonly purpose: CheckpointPurpose;
}

/** Reads what was signed of chains. */
export class CheckpointReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: Pick<SecretBox, 'mac'>,
  ) {}

  /** What a checkpoint says; undefined where this installation has not signed it. */
  async read(token: string): Promise<SignedEnd | undefined> {
    const kid = keyIdOf(token);
    const key = kid === undefined ? undefined : await this.findKey(kid);
    if (!key) return undefined;
    try {
      const { payload } = await compactVerify(token, await importJWK(key, ALGORITHM), { algorithms: [ALGORITHM] });
      const { chain, sequence, hash, purpose } = content.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
      return { chain, sequence, hash: Buffer.from(hash, 'hex'), purpose };
    } catch {
      return undefined;
    }
  }

  /** The public half of a key; undefined where the database has another than this installation has put there. */
  private async findKey(kid: string): Promise<JsonWebKey | undefined> {
    const row = await this.dataSource.getRepository(AuditKey).findOneBy({ kid });
    return row?.mac.equals(macOfKey(this.secretBox, kid, row.publicJwk)) ? row.publicJwk : undefined;
  }
}

/** The key that a checkpoint names; undefined for what is none. */
function keyIdOf(token: string): string | undefined {
  try {
    const { kid, alg, typ } = decodeProtectedHeader(token);
    return alg === ALGORITHM && typ === CHECKPOINT_TYPE ? kid : undefined;
  } catch {
    return undefined;
  }
}
