import type { EntityManager } from 'typeorm';
import type { SignedDocument } from '../../identity/domain.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { AuditChain } from './audit-chain.entity.js';
import { AuditCheckpoint } from './audit-checkpoint.entity.js';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import { AuditKey, macOfKey } from './audit-key.entity.js';
import { CHECKPOINT_TYPE } from './checkpoint-reader.js';
import { toChainEnd } from './chain-end.js';
import type { ChainEnd } from './chain-end.js';

/** How many entries a checkpoint waits for at most. */
export const CHECKPOINT_ENTRIES = 1_000;
/** How long the first of them waits for it at most. */
export const CHECKPOINT_MINUTES = 10;

const DUE = `
  SELECT chain, sequence, hash FROM audit_chains
  WHERE sequence >= signed_sequence + ${CHECKPOINT_ENTRIES}
    OR unsigned_since < now() - interval '${CHECKPOINT_MINUTES} minutes'
  ORDER BY chain LIMIT 100 FOR UPDATE`;

interface CheckpointsParts {
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly sign: (type: string, content: object) => Promise<SignedDocument>;
}

/** Signs how chains are. */
export class Checkpoints {
  constructor(private readonly parts: CheckpointsParts) {}

  /** Signs the chains of which much, or for long, is not signed. */
  async signDue(tx: EntityManager): Promise<void> {
    const due = await tx.query<Pick<AuditChain, 'chain' | 'sequence' | 'hash'>[]>(DUE);
    for (const row of due) await this.sign(tx, toChainEnd(row), 'checkpoint');
  }

  /** Signs how a chain is at one of its entries, and keeps that with the key. */
  async sign(tx: EntityManager, end: ChainEnd, purpose: CheckpointPurpose): Promise<AuditCheckpoint> {
    const { chain, sequence, hash } = end;
    const createdAt = new Date();
    const said = { chain, created_at: createdAt.toISOString(), hash: hash?.toString('hex'), purpose, sequence };
    const { token, kid, publicJwk } = await this.parts.sign(CHECKPOINT_TYPE, said);
    const mac = macOfKey(this.parts.secretBox, kid, publicJwk);
    await tx
      .createQueryBuilder()
      .insert()
      .into(AuditKey)
      .values({ kid, publicJwk, mac } as never)
      .orIgnore()
      .execute();
    const row = { chain, sequence: String(sequence), purpose, kid, token, createdAt };
    await tx.upsert(AuditCheckpoint, row, ['chain', 'sequence', 'purpose']);
    if (purpose === 'checkpoint') {
      await tx.query(
        `UPDATE audit_chains SET signed_sequence = $2, unsigned_since = CASE WHEN sequence > $2 THEN unsigned_since END
         WHERE chain = $1`,
        [chain, sequence],
      );
    }
    return row;
  }
}
