import { Between } from 'typeorm';
import type { Repository } from 'typeorm';
import type { AuditEntryRow } from './audit-entry.entity.js';

/** Entries that are read at once. */
const BATCH = 500;
/** What was read longer ago is read again: it may be erased by now. */
const FRESH_MS = 1_000;

/** An entry that was sealed, and up to which number others of its chain were sealed with it. */
export interface SealedSequence {
  readonly chain: string;
  readonly sequence: number;
  readonly last: number;
}

/** Reads entries that were sealed together, for one who asks for them in their order: a query for many of them. */
export class SealedEntryReader {
  private chain: string | undefined;
  private rows: ReadonlyMap<number, AuditEntryRow> = new Map();
  private readAt = 0;

  constructor(private readonly entries: Repository<AuditEntryRow>) {}

  /** Reads an entry, and those behind it for the next calls; undefined where it is not there any more. */
  async read({ chain, sequence, last }: SealedSequence): Promise<AuditEntryRow | undefined> {
    const isFresh = this.chain === chain && performance.now() - this.readAt < FRESH_MS;
    const known = isFresh ? this.rows.get(sequence) : undefined;
    if (known) return known;
    const until = Math.min(last, sequence + BATCH - 1);
    const rows = await this.entries.findBy({ chain, sequence: Between(String(sequence), String(until)) });
    this.chain = chain;
    this.rows = new Map(rows.map((row) => [Number(row.sequence), row]));
    this.readAt = performance.now();
    return this.rows.get(sequence);
  }
}
