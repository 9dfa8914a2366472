import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { RECORD_COLUMNS, WRITTEN_COLUMNS } from '../../platform/audit/record-mac.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';
import { ChainEnds } from './chain-ends.js';
import type { FoundEnd } from './chain-ends.js';
import { lockChains, tryLockChains } from './chain-lock.js';
import type { Checkpoints } from './checkpoints.js';
import { hashEntry } from './entry-hash.js';
import { macOfEntry } from './entry-mac.js';
import { verifyRecords } from './record-verification.js';
import type { WaitingRecord } from './record-verification.js';

/** Records of a transaction: the embedded database does nothing else while it moves them, which takes a few milliseconds. */
const BATCH = 250;

const OLDEST = `
  SELECT ordinal, coalesce(tenant_id, '${PLATFORM_CHAIN}') AS chain, ${WRITTEN_COLUMNS}
  FROM audit_records ORDER BY ordinal LIMIT ${BATCH}`;

/** Of an entry whose record somebody else has written: it never verifies. */
const NO_MAC = Buffer.alloc(0);

/** What an entry has of its record as it is. */
const KEPT_COLUMNS = RECORD_COLUMNS.filter((column) => column !== 'tenant_id').join(', ');

/** The rows do not leave the database. */
const MOVE = `
  WITH sealed AS (
    SELECT ordinal, sequence, decode(previous_hash, 'hex') AS previous_hash, decode(hash, 'hex') AS hash, mac
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bytea[])
      AS s (ordinal, sequence, previous_hash, hash, mac)
  ), taken AS (
    DELETE FROM audit_records r USING sealed s WHERE r.ordinal = s.ordinal
    RETURNING r.*, s.sequence, s.previous_hash, s.hash, s.mac AS entry_mac
  )
  INSERT INTO audit_entries (chain, sequence, previous_hash, hash, mac, ${KEPT_COLUMNS})
  SELECT coalesce(tenant_id, '${PLATFORM_CHAIN}'), sequence, previous_hash, hash, entry_mac, ${KEPT_COLUMNS} FROM taken`;

interface SealedRecord extends SealedEntry {
  readonly ordinal: string;
  readonly previousHash: string | null;
  readonly hash: string;
  readonly mac: Buffer;
}

/** Which entry of which chain. */
export interface SealedEntry {
  readonly chain: string;
  readonly sequence: number;
}

/** Takes the lock of the chains until the transaction ends. @returns whether it has it */
type Lock = (tx: EntityManager) => Promise<boolean>;

interface SealerParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly checkpoints: Checkpoints;
  readonly log: Pick<Logger, 'error'>;
  /** Called with what has been sealed, when it is committed. */
  readonly sealed: (entries: readonly SealedEntry[]) => void;
}

/**
 * Seals records into their chains, in the order in which they were written. One process does it at a time: whoever has
 * the lock, which ends with its connection.
 */
export class AuditSealer {
  private readonly ends: ChainEnds;

  constructor(private readonly parts: SealerParts) {
    this.ends = new ChainEnds(parts.secretBox);
  }

  /** Seals all that there is; nothing where another process is at it. */
  async seal(): Promise<void> {
    await this.sealAll(tryLockChains);
  }

  /** Seals all that there is, when whoever is at it is done. */
  async sealInTurn(): Promise<void> {
    await this.sealAll(async (tx) => {
      await lockChains(tx);
      return true;
    });
  }

  private async sealAll(lock: Lock): Promise<void> {
    const { dataSource, sealed } = this.parts;
    const [waiting] = await dataSource.query<object[]>('SELECT FROM audit_records LIMIT 1');
    for (let isMore = waiting !== undefined; isMore;) {
      const entries = await dataSource.transaction((tx) => this.sealBatch(tx, lock));
      if (!entries) return;
      isMore = entries.length === BATCH;
      if (entries.length > 0) sealed(entries);
    }
  }

  /** Signs the chains of which something has not been signed for long. */
  async sign(): Promise<void> {
    const { dataSource, checkpoints } = this.parts;
    for (let after: string | undefined = ''; after !== undefined;) {
      const last: string = after;
      after = await dataSource.transaction(async (tx) =>
        (await tryLockChains(tx)) ? checkpoints.signDue(tx, last) : undefined,
      );
    }
  }

  /** @returns undefined where another process is at it */
  private async sealBatch(tx: EntityManager, lock: Lock): Promise<readonly SealedEntry[] | undefined> {
    if (!(await lock(tx))) return undefined;
    const waiting = await tx.query<WaitingRecord[]>(OLDEST);
    if (waiting.length === 0) return [];
    const chains = [...new Set(waiting.map(({ chain }) => chain))];
    const found = await this.ends.read(tx, chains);
    this.logBroken([...found.values()]);
    const sealed = await this.link(tx, waiting, found);
    await tx.query(MOVE, [
      sealed.map(({ ordinal }) => ordinal),
      sealed.map(({ sequence }) => sequence),
      sealed.map(({ previousHash }) => previousHash),
      sealed.map(({ hash }) => hash),
      sealed.map(({ mac }) => mac),
    ]);
    await this.writeEnds(tx, sealed, found);
    await this.parts.checkpoints.signDueOf(tx, chains);
    return sealed;
  }

  /** Gives records their numbers, hashes and MACs. */
  private async link(
    tx: EntityManager,
    waiting: readonly WaitingRecord[],
    found: ReadonlyMap<string, FoundEnd>,
  ): Promise<readonly SealedRecord[]> {
    const { secretBox } = this.parts;
    const ends = new Map<string, { readonly sequence: number; readonly hash: string | null }>(found);
    const verified = await verifyRecords(tx, secretBox, waiting);
    return verified.map(({ record, isOurs }): SealedRecord => {
      const { chain, ordinal } = record;
      const before = ends.get(chain) ?? { sequence: 0, hash: null };
      const sequence = before.sequence + 1;
      const hash = hashEntry(record, sequence, before.hash);
      ends.set(chain, { sequence, hash });
      const mac = isOurs ? macOfEntry(secretBox, record, hash) : NO_MAC;
      return { chain, ordinal, sequence, previousHash: before.hash, hash, mac };
    });
  }

  private async writeEnds(
    tx: EntityManager,
    sealed: readonly SealedRecord[],
    found: ReadonlyMap<string, FoundEnd>,
  ): Promise<void> {
    const last = new Map(sealed.map((entry) => [entry.chain, entry]));
    const sealedAt = new Date();
    const ends = [...found.values()].flatMap((end) => {
      const { sequence, hash } = last.get(end.chain) ?? end;
      const { chain, signedSequence, brokenSequence } = end;
      if (hash === null) return [];
      const unsignedSince = end.unsignedSince ?? sealedAt;
      return [{ found: end, now: { chain, sequence, hash, signedSequence, unsignedSince, brokenSequence } }];
    });
    await this.ends.write(tx, ends);
  }

  private logBroken(ends: readonly FoundEnd[]): void {
    for (const { chain, isNewlyBroken } of ends) {
      if (isNewlyBroken) this.parts.log.error({ chain }, 'the end of a chain of the audit log was changed');
    }
  }
}
