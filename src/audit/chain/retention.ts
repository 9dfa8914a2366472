import type { DataSource, EntityManager } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';
import type { Checkpoints } from './checkpoints.js';
import { lockChains } from './sealer.js';

/** Entries that are deleted in one transaction. */
const BATCH = 5_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The first entries of a chain; its very last one stays, so that the chain goes on. */
const FIRST = `
  SELECT e.sequence::float8 AS sequence, e.hash, e.created_at < $2 AS "isOld"
  FROM audit_entries e JOIN audit_chains c ON c.chain = e.chain
  WHERE e.chain = $1 AND e.sequence < c.sequence ORDER BY e.sequence LIMIT ${BATCH}`;

interface FirstEntry {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly isOld: boolean;
}

interface RetentionParts {
  readonly dataSource: DataSource;
  readonly checkpoints: Checkpoints;
  readonly audit: AuditRecorder;
  /** 0: entries are kept for ever. */
  readonly days: number;
}

/** Deletes what is too old from the beginnings of chains; a signed checkpoint takes its place. */
export class AuditRetention {
  constructor(private readonly parts: RetentionParts) {}

  /** Deletes all that is too old now. */
  async prune(): Promise<void> {
    const { dataSource, days } = this.parts;
    if (days === 0) return;
    const before = new Date(Date.now() - days * DAY_MS);
    const chains = await dataSource.query<{ chain: string }[]>('SELECT chain FROM audit_chains ORDER BY chain');
    for (const { chain } of chains) {
      while (await dataSource.transaction((tx) => this.pruneBatch(tx, chain, before)));
    }
  }

  /** @returns whether there may be more */
  private async pruneBatch(tx: EntityManager, chain: string, before: Date): Promise<boolean> {
    const { checkpoints, audit } = this.parts;
    await lockChains(tx);
    const first = await tx.query<FirstEntry[]>(FIRST, [chain, before]);
    const young = first.findIndex(({ isOld }) => !isOld);
    const end = first.at(young < 0 ? -1 : young - 1);
    if (!end || young === 0) return false;
    await checkpoints.sign(tx, { chain, sequence: end.sequence, hash: end.hash }, 'retention');
    await tx.query('DELETE FROM audit_entries WHERE chain = $1 AND sequence <= $2', [chain, end.sequence]);
    await tx.query(
      `DELETE FROM audit_checkpoints WHERE chain = $1 AND (sequence < $2 OR (sequence = $2 AND purpose = 'checkpoint'))`,
      [chain, end.sequence],
    );
    await tx.query('DELETE FROM audit_keys k WHERE NOT EXISTS (SELECT FROM audit_checkpoints c WHERE c.kid = k.kid)');
    await audit.record(tx, SYSTEM, {
      tenantId: chain === PLATFORM_CHAIN ? null : chain,
      action: 'audit_log.prune',
      reason: `entries up to number ${end.sequence} are older than AUDIT_RETENTION_DAYS`,
    });
    return young < 0;
  }
}
