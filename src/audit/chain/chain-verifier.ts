import type { DataSource } from 'typeorm';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { readAhead } from '../../platform/async/read-ahead.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { macOfEnd } from './chain-end.js';
import type { ChainEnd, WrittenEnd } from './chain-end.js';
import type { ChainProblem, ProblemKind } from './chain-problem.js';
import { CHECKPOINT_ENTRIES, CHECKPOINT_MINUTES } from './checkpoints.js';
import type { CheckpointReader, SignedEnd } from './checkpoint-reader.js';
import { classifyBroken } from './broken-entry.js';
import { hasOwnHash, hasOwnMac, readEntries } from './chain-reader.js';
import type { EntryRange, ReadEntry } from './chain-reader.js';
import { isOfDeletion, readStoredEnd } from './chain-deletion.js';
import type { StoredEnd, ToldOfChain } from './chain-deletion.js';
import { StoredCheckpoints } from './stored-checkpoints.js';
import { LARGEST_SEQUENCE, readBehindEnd } from './behind-end.js';

/** Chains with more problems than these are not looked through to their end. */
const MAX_PROBLEMS = 100;
/** Entries after which it is asked whether others have waited long enough: they take a millisecond or two. */
const SLICE = 100;
/** Checkpoints come later than they are due where the sealer has much to do. */
const LATE_ENTRIES = 2_000;
const LATE_MINUTES = 10;

/** Entries, and what was signed of them. */
interface Page {
  readonly entries: readonly ReadEntry[];
  /** As `StoredCheckpoints` reads them. */
  readonly checkpoints: ReadonlyMap<number, SignedEnd | 'unknown'>;
}

/** What verification uses. */
export interface VerifierParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly checkpoints: CheckpointReader;
}

/** From where, and how long, something is verified. */
export interface VerificationOptions {
  /** What an auditor has kept of the chain: it is verified from there on; left out: from its beginning. */
  readonly from?: SignedEnd;
  /** Ends the verification. */
  readonly signal?: AbortSignal;
}

/**
 * Verifies one chain, from its beginning or from a checkpoint, in constant memory. After some 5 ms of its own work others
 * of the process have their turn; what the database driver does with a page comes on top.
 */
export class ChainVerifier {
  /** Entries that were looked at. */
  entries = 0;
  private found: ChainProblem[] = [];
  private last: { readonly id: string | null; readonly end: ChainEnd; readonly createdAt?: Date };
  /** By how much the entries are renumbered, after one that was deleted or inserted. */
  private shift = 0;
  private signed = 0;
  private readonly stored: StoredCheckpoints;
  private readonly turn: CooperativeYield;

  constructor(
    private readonly parts: VerifierParts,
    private readonly chain: string,
    private readonly options: VerificationOptions = {},
  ) {
    this.last = { id: null, end: { chain, sequence: 0, hash: null } };
    this.stored = new StoredCheckpoints(parts, chain);
    this.turn = new CooperativeYield(options.signal);
  }

  /** What is wrong: 100 at most. */
  get problems(): readonly ChainProblem[] {
    return this.found;
  }

  /**
   * Looks through the chain, as far as it went when this began.
   * @throws the reason of the signal
   */
  async verify(): Promise<void> {
    const row = await this.readEnd();
    // Where somebody else wrote it, it says nothing.
    const written = row?.mac.equals(macOfEnd(this.parts.secretBox, row)) ? row : undefined;
    const until = written?.sequence ?? LARGEST_SEQUENCE;
    const { from } = this.options;
    if (from) await this.begin(from, until);
    await this.verifyEntries(until);
    if (row && !written) this.report('edited', null, row.sequence);
    if (this.isFull) return;
    if (written) await this.checkWritten(written);
    await this.checkBehind();
    for (const sequence of await this.stored.unsignedRetentions()) this.report('unsigned', null, sequence);
    if (this.found.length > 0 && this.shift === 0 && (await isOfDeletion(this.parts, this.told(written)))) {
      this.found = [];
    }
  }

  private async verifyEntries(until: number): Promise<void> {
    const range = { after: this.last.end.sequence, until };
    for await (const pages of readAhead(this.readPages(range))) {
      this.options.signal?.throwIfAborted();
      for (const page of pages) await this.verifyPage(page);
      if (this.isFull) return;
    }
  }

  private async verifyPage({ entries, checkpoints }: Page): Promise<void> {
    for (let first = 0; first < entries.length; first += SLICE) {
      for (const entry of entries.slice(first, first + SLICE)) {
        // Most entries are as they should be, and of those there may be millions: nothing is waited for.
        if (!this.passes(entry)) await this.check(entry);
        this.accept(entry, checkpoints.get(entry.sequence));
      }
      if (this.isFull) return;
      if (this.turn.isDue) await this.turn.yield();
    }
  }

  private async *readPages(range: EntryRange): AsyncGenerator<Page, void, undefined> {
    for await (const page of readEntries(this.parts.dataSource, this.chain, range)) {
      yield { entries: page, checkpoints: await this.stored.read(page[0]?.sequence ?? 0, page.at(-1)?.sequence ?? 0) };
    }
  }

  /** The checkpoint's own entry is the first to be looked at, or what retention has left behind it. */
  private async begin({ sequence, hash }: SignedEnd, until: number): Promise<void> {
    const range = { after: sequence - 1, until };
    const { value: page = [] } = await readEntries(this.parts.dataSource, this.chain, range, 1).next();
    const [entry] = page;
    if (!entry) return (await this.isPruned(sequence)) ? undefined : this.report('cut', null, sequence);
    this.last = { id: null, end: { chain: this.chain, sequence: entry.sequence - 1, hash: entry.previous_hash } };
    if (entry.sequence > sequence) {
      if (!(await this.isAfterRetention(entry))) this.report('deleted', null, sequence);
      return;
    }
    if (entry.hash !== hash) this.report('edited', entry.id, sequence);
    this.signed = sequence;
  }

  /** Whether an entry is the next one, as it was written. */
  private passes(entry: ReadEntry): boolean {
    const { end } = this.last;
    return entry.sequence === end.sequence + 1 && entry.previous_hash === end.hash && this.isWhole(entry);
  }

  /** Finds out what is wrong with an entry, or before it. */
  private async check(entry: ReadEntry): Promise<void> {
    const { end } = this.last;
    const isNext = entry.sequence === end.sequence + 1;
    if (!isNext && !(await this.isAfterRetention(entry))) this.report('deleted', null, end.sequence + 1);
    if (!this.hasHash(entry)) await this.reportBroken(entry);
    else if (!hasOwnMac(this.parts.secretBox, entry)) this.report('edited', entry.id, entry.sequence);
    else if (isNext && entry.previous_hash !== end.hash) this.report('edited', this.last.id, end.sequence);
  }

  private isWhole(entry: ReadEntry): boolean {
    return this.hasHash(entry) && hasOwnMac(this.parts.secretBox, entry);
  }

  private hasHash(entry: ReadEntry): boolean {
    return hasOwnHash(entry, entry.sequence + this.shift);
  }

  private accept(entry: ReadEntry, checkpoint: SignedEnd | 'unknown' | undefined): void {
    this.entries += 1;
    if (checkpoint === 'unknown') this.report('unsigned', entry.id, entry.sequence);
    else if (checkpoint) {
      // Whoever has rewritten entries has rewritten all behind them, too, but not what was signed.
      if (checkpoint.hash !== entry.hash) this.report('edited', entry.id, entry.sequence);
      this.signed = entry.sequence;
    }
    const { id, sequence, hash, created_at: createdAt } = entry;
    this.last = { id, end: { chain: this.chain, sequence, hash }, createdAt };
  }

  private async reportBroken(entry: ReadEntry): Promise<void> {
    const wasReordered = this.found.at(-1)?.problem === 'reordered';
    const before = { ...this.last.end, wasReordered };
    const broken = await classifyBroken(this.parts.dataSource, entry, before, this.turn);
    if (broken.shift !== 0) this.shift = broken.shift;
    if (broken.problem === 'inserted') this.reportInserted();
    else this.report(broken.problem, broken.problem === 'deleted' ? null : entry.id, entry.sequence);
  }

  /** The last entry was put there. Until the one behind it showed that, it seemed to be edited. */
  private reportInserted(): void {
    const { id, end } = this.last;
    this.found = this.found.filter((one) => one.problem !== 'edited' || one.id !== id || one.sequence !== end.sequence);
    this.report('inserted', id, end.sequence);
  }

  /** Compares what was found with what the installation has written down of the end. */
  private async checkWritten(written: WrittenEnd): Promise<void> {
    const { end, createdAt } = this.last;
    if (written.brokenSequence !== null) this.report('edited', null, written.brokenSequence);
    if (written.sequence > end.sequence) {
      return (await this.isPruned(written.sequence)) ? undefined : this.report('cut', null, end.sequence + 1);
    }
    if (written.hash !== end.hash) this.report('edited', this.last.id, end.sequence);
    if (written.signedSequence > this.signed) await this.readSignedByRetention();
    if (written.signedSequence > this.signed) return this.report('unsigned', null, this.signed + 1);
    // What is broken is not signed any more.
    if (written.brokenSequence !== null) return;
    // By the last entry's time: while no server runs, nothing is signed.
    const waited = Number(createdAt) - Number(written.unsignedSince ?? Number.POSITIVE_INFINITY);
    const isLate = waited > (CHECKPOINT_MINUTES + LATE_MINUTES) * 60_000;
    if (isLate || end.sequence - this.signed > CHECKPOINT_ENTRIES + LATE_ENTRIES) {
      this.report('unsigned', null, this.signed + 1);
    }
  }

  /** Looks for what is where the chain does not reach, as it is by now. */
  private async checkBehind(): Promise<void> {
    const { end, entry, checkpoint } = await readBehindEnd(this.parts.dataSource, this.last.end);
    if (!end && this.entries > 0) this.report('edited', null, this.last.end.sequence);
    if (entry) this.report('inserted', entry.id, entry.sequence);
    if (checkpoint === null) return;
    if (this.parts.checkpoints.read(checkpoint.token)) this.report('cut', null, this.last.end.sequence + 1);
    else this.report('unsigned', null, checkpoint.sequence);
  }

  /** Whether what came before an entry was deleted as the operator wants: that is signed, and nothing of it is left. */
  private async isAfterRetention(entry: ReadEntry): Promise<boolean> {
    // More may have been deleted since the entry was read, itself included.
    const claims = await this.stored.readRetention();
    if (!claims || entry.previous_hash === null || claims.sequence < entry.sequence - 1) return false;
    if (claims.sequence === entry.sequence - 1 && claims.hash !== entry.previous_hash) return false;
    return this.isDeletedUpTo(claims);
  }

  /**
   * Whether all entries up to one were deleted as the operator wants, while others were still to be looked at: the chain
   * begins behind them now, and what came since is for the next verification.
   */
  private async isPruned(sequence: number): Promise<boolean> {
    const claims = await this.stored.readRetention();
    if (!claims || claims.sequence < sequence || !(await this.isDeletedUpTo(claims))) return false;
    this.last = { id: null, end: { chain: this.chain, sequence: claims.sequence, hash: claims.hash } };
    return true;
  }

  /** Whether nothing is left of what retention has signed for. */
  private async isDeletedUpTo({ sequence }: SignedEnd): Promise<boolean> {
    const sql = 'SELECT FROM audit_entries WHERE chain = $1 AND sequence <= $2 LIMIT 1';
    if ((await this.parts.dataSource.query<object[]>(sql, [this.chain, sequence])).length > 0) return false;
    this.signed = Math.max(this.signed, sequence);
    return true;
  }

  /** Retention deletes the checkpoints of what it deletes; what it signs itself tells of all of that. */
  private async readSignedByRetention(): Promise<void> {
    const claims = await this.stored.readRetention();
    if (claims) this.signed = Math.max(this.signed, claims.sequence);
  }

  private readEnd(): Promise<StoredEnd | undefined> {
    return readStoredEnd(this.parts.dataSource, this.chain);
  }

  private told(written: WrittenEnd | undefined): ToldOfChain {
    const { chain, found: problems, last, options } = this;
    return { chain, problems, last: last.end.sequence, written, from: options.from };
  }

  private get isFull(): boolean {
    return this.found.length >= MAX_PROBLEMS;
  }

  /** Tells a problem, once. */
  private report(problem: ProblemKind, id: string | null, sequence: number): void {
    const isKnown = this.found.some((one) => one.sequence === sequence && one.problem === problem && one.id === id);
    if (isKnown || this.isFull) return;
    this.found.push({ chain: this.chain, id, sequence, problem });
  }
}
