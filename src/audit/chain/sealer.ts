import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';
import { macOf } from './chain-end.js';
import type { ChainEnd } from './chain-end.js';
import type { Checkpoints } from './checkpoints.js';
import { hashEntry } from './entry-hash.js';
import type { HashedEntry } from './entry-hash.js';

/** Records of a transaction. */
const BATCH = 1_000;
/** The lock of whoever changes chains. */
const LOCK = 'audit-chains';

const OLDEST = `
  SELECT ordinal, coalesce(tenant_id, '${PLATFORM_CHAIN}') AS chain, id, action, actor_type, actor_id, target_type,
    target_id, outcome, reason, ip, user_agent, request_id, server_request_id, salts, created_at
  FROM audit_records ORDER BY ordinal LIMIT ${BATCH}`;

/** Somebody may have written to the tables: that is found, and must not keep others from being sealed. */
const ENDS = `
  SELECT n.chain, c.hash,
    greatest(c.sequence, (SELECT max(e.sequence) FROM audit_entries e WHERE e.chain = n.chain), 0)::float8 AS sequence
  FROM unnest($1::text[]) AS n (chain) LEFT JOIN audit_chains c ON c.chain = n.chain`;

/** The rows do not leave the database. */
const MOVE = `
  WITH sealed AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[]) AS s (ordinal, sequence, previous_hash, hash)
  ), taken AS (
    DELETE FROM audit_records r USING sealed s WHERE r.ordinal = s.ordinal
    RETURNING r.*, s.sequence, s.previous_hash, s.hash
  )
  INSERT INTO audit_entries (chain, sequence, id, action, actor_type, actor_id, target_type, target_id, outcome, reason,
    ip, user_agent, request_id, server_request_id, salts, previous_hash, hash, created_at)
  SELECT coalesce(tenant_id, '${PLATFORM_CHAIN}'), sequence, id, action, actor_type, actor_id, target_type, target_id,
    outcome, reason, ip, user_agent, request_id, server_request_id, salts, previous_hash, hash, created_at
  FROM taken`;

const MOVE_ENDS = `
  INSERT INTO audit_chains AS c (chain, sequence, hash, mac, signed_sequence, unsigned_since)
  SELECT *, 0, now() FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[])
  ON CONFLICT (chain) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, mac = excluded.mac,
    unsigned_since = coalesce(c.unsigned_since, excluded.unsigned_since)`;

interface WaitingRecord extends HashedEntry {
  readonly ordinal: string;
}

interface SealedRecord extends SealedEntry {
  readonly ordinal: string;
  readonly previousHash: Buffer | null;
  readonly hash: Buffer;
}

/** Which entry of which chain. */
export interface SealedEntry {
  readonly chain: string;
  readonly sequence: number;
}

interface SealerParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly checkpoints: Checkpoints;
  /** Called with what has been sealed, when it is committed. */
  readonly sealed: (entries: readonly SealedEntry[]) => void;
}

/**
 * Seals records into their chains, in the order in which they were written. One process does it at a time: whoever has
 * the lock, which ends with its connection.
 */
export class AuditSealer {
  constructor(private readonly parts: SealerParts) {}

  /** Seals all that there is. */
  async seal(): Promise<void> {
    const { dataSource, sealed } = this.parts;
    const [waiting] = await dataSource.query<object[]>('SELECT FROM audit_records LIMIT 1');
    for (let isMore = waiting !== undefined; isMore; ) {
      const entries = await dataSource.transaction((tx) => this.sealBatch(tx));
      if (!entries) return;
      isMore = entries.length === BATCH;
      if (entries.length > 0) sealed(entries);
    }
  }

  /** Signs the chains of which something has not been signed for long. */
  async sign(): Promise<void> {
    await this.parts.dataSource.transaction(async (tx) => {
      if (await tryLock(tx)) await this.parts.checkpoints.signDue(tx);
    });
  }

  /** @returns undefined where another process is at it */
  private async sealBatch(tx: EntityManager): Promise<readonly SealedEntry[] | undefined> {
    const { secretBox, checkpoints } = this.parts;
    if (!(await tryLock(tx))) return undefined;
    const records = await tx.query<WaitingRecord[]>(OLDEST);
    if (records.length === 0) return [];
    const names = [...new Set(records.map(({ chain }) => chain))];
    const rows = await tx.query<ChainEnd[]>(ENDS, [names]);
    const ends = new Map(rows.map((end) => [end.chain, end]));
    const sealed = records.map((record): SealedRecord => {
      const { chain, ordinal } = record;
      const before = ends.get(chain) ?? { chain, sequence: 0, hash: null };
      const sequence = before.sequence + 1;
      const hash = hashEntry(record, sequence, before.hash);
      ends.set(chain, { chain, sequence, hash });
      return { chain, ordinal, sequence, previousHash: before.hash, hash };
    });
    await tx.query(MOVE, [
      sealed.map(({ ordinal }) => ordinal),
      sealed.map(({ sequence }) => sequence),
      sealed.map(({ previousHash }) => previousHash),
      sealed.map(({ hash }) => hash),
    ]);
    const moved = [...ends.values()];
    await tx.query(MOVE_ENDS, [
      moved.map(({ chain }) => chain),
      moved.map(({ sequence }) => sequence),
      moved.map(({ hash }) => hash),
      moved.map((end) => macOf(secretBox, end)),
    ]);
    await checkpoints.signDue(tx);
    return sealed;
  }
}

/** Waits until nobody else changes chains; held until the transaction ends. */
export async function lockChains(tx: EntityManager): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

async function tryLock(tx: EntityManager): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }[]>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [LOCK],
  );
  return row?.locked === true;
}
