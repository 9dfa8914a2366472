import type { DataSource, EntityManager } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { tenantOfChain } from '../entries/audit-entry.entity.js';
import type { ChainEnd } from './chain-end.js';
import { ENTRY_COLUMNS, isOwnEntry } from './chain-reader.js';
import type { ReadEntry } from './chain-reader.js';
import { CheckpointReader } from './checkpoint-reader.js';
import type { Checkpoints } from './checkpoints.js';
import { StoredCheckpoints } from './stored-checkpoints.js';
import { lockChains } from './chain-lock.js';

/** Entries that are deleted in one transaction. */
const BATCH = 5_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The chains whose first entry is old, and not their last one. */
const OLD = `
  SELECT c.chain FROM audit_chains c CROSS JOIN LATERAL (
    SELECT e.sequence, e.created_at FROM audit_entries e WHERE e.chain = c.chain ORDER BY e.sequence LIMIT 1
  ) AS first WHERE first.created_at < $1 AND first.sequence < c.sequence ORDER BY c.chain`;

/** The first entries of a chain; its very last one stays, so that the chain goes on. */
const FIRST = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries
  WHERE chain = $1 AND sequence < (SELECT c.sequence FROM audit_chains c WHERE c.chain = $1)
  ORDER BY audit_entries.sequence LIMIT ${BATCH}`;

interface RetentionParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly checkpoints: Checkpoints;
  readonly audit: AuditRecorder;
  /** 0: entries are kept for ever. */
  readonly days: number;
}

/**
 * Deletes what is too old from the beginnings of chains; a signed checkpoint takes its place. What is not as it was
 * sealed is not deleted, nor what is behind it: whoever dates entries back does not get rid of them.
 */
export class AuditRetention {
  constructor(private readonly parts: RetentionParts) {}

  /** Deletes all that is too old now. */
  async prune(): Promise<void> {
    const { dataSource, days } = this.parts;
    if (days === 0) return;
    const before = new Date(Date.now() - days * DAY_MS);
    const chains = await dataSource.query<{ chain: string }[]>(OLD, [before]);
    for (const { chain } of chains) {
      while (await dataSource.transaction((tx) => this.pruneBatch(tx, chain, before)));
    }
  }

  /** @returns whether there may be more */
  private async pruneBatch(tx: EntityManager, chain: string, before: Date): Promise<boolean> {
    const { checkpoints, audit } = this.parts;
    await lockChains(tx);
    const first = await tx.query<ReadEntry[]>(FIRST, [chain]);
    const count = await this.countPrunable(tx, first, before);
    const end = first[count - 1];
    if (!end) return false;
    await checkpoints.sign(tx, { chain, sequence: end.sequence, hash: end.hash }, 'retention');
    await tx.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence <= $2', [chain, end.sequence]);
    await tx.query(
      `DELETE FROM audit_checkpoints WHERE chain = $1 AND (sequence < $2 OR (sequence = $2 AND purpose = 'checkpoint'))`,
      [chain, end.sequence],
    );
    await audit.record(tx, SYSTEM, {
      tenantId: tenantOfChain(chain),
      action: 'audit_log.prune',
      reason: `entries up to number ${end.sequence} are older than AUDIT_RETENTION_DAYS`,
    });
    return count === BATCH;
  }

  /** How many of the first entries are old, and whole. */
  private async countPrunable(tx: EntityManager, first: readonly ReadEntry[], before: Date): Promise<number> {
    const { secretBox } = this.parts;
    let previous: ChainEnd | undefined = first[0] && (await this.readAnchor(tx, first[0]));
    let count = 0;
    for (const entry of first) {
      const follows = previous?.sequence === entry.sequence - 1 && previous.hash === entry.previous_hash;
      if (!follows || !isOwnEntry(secretBox, entry) || entry.created_at >= before) break;
      previous = entry;
      count += 1;
    }
    return count;
  }

  /** What a first entry must follow: nothing, or what was deleted last. */
  private async readAnchor(tx: EntityManager, { chain, sequence }: ReadEntry): Promise<ChainEnd | undefined> {
    if (sequence === 1) return { chain, sequence: 0, hash: null };
    const checkpoints = new CheckpointReader(this.parts.secretBox);
    return new StoredCheckpoints({ dataSource: tx, checkpoints }, chain).readRetention();
  }
}
