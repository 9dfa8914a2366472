import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { AuditChain } from './audit-chain.entity.js';
import { AuditCheckpoint } from './audit-checkpoint.entity.js';
import { macOf, toChainEnd } from './chain-end.js';
import type { ChainEnd } from './chain-end.js';
import { CHECKPOINT_ENTRIES, CHECKPOINT_MINUTES } from './checkpoints.js';
import type { CheckpointReader, SignedEnd } from './checkpoint-reader.js';
import { classifyBroken } from './broken-entry.js';
import { readEntries } from './chain-reader.js';
import type { ReadEntry } from './chain-reader.js';
import { hashEntry } from './entry-hash.js';

/** What is wrong with a chain: the kinds of `AuditProblem` in docs/audit.md. */
export type ProblemKind = 'edited' | 'deleted' | 'inserted' | 'reordered' | 'cut' | 'unsigned';

/** What is wrong, and where. */
export interface ChainProblem {
  readonly chain: string;
  /** Of the entry; null where it is not there any more. */
  readonly id: string | null;
  readonly sequence: number;
  readonly problem: ProblemKind;
}

/** Chains with more problems than these are not looked through to their end. */
const MAX_PROBLEMS = 100;
/** Checkpoints come later than they are due where the sealer has much to do. */
const LATE_ENTRIES = 2_000;
const LATE_MINUTES = 10;

/** What verification uses. */
export interface VerifierParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly checkpoints: CheckpointReader;
}

/** Verifies one chain, from its beginning or from a checkpoint, in constant memory. */
export class ChainVerifier {
  readonly problems: ChainProblem[] = [];
  /** Entries that were looked at. */
  entries = 0;
  private last: { readonly id: string | null; readonly end: ChainEnd };
  /** By how much the entries are renumbered, after one that was deleted or inserted. */
  private shift = 0;
  private signed = 0;

  /** @param from what an auditor has kept; left out: the beginning */
  constructor(
    private readonly parts: VerifierParts,
    private readonly chain: string,
    private readonly from?: SignedEnd,
  ) {
    this.last = { id: null, end: { chain, sequence: 0, hash: null } };
  }

  /** Looks through the chain. */
  async verify(): Promise<void> {
    const end = await this.findEnd();
    if (this.from) await this.begin(this.from);
    for await (const page of readEntries(this.parts.dataSource, this.chain, this.last.end.sequence)) {
      const checkpoints = await this.readCheckpoints(page);
      for (const entry of page) {
        // Most entries are as they should be, and of those there may be millions: nothing is waited for.
        if (!this.passes(entry)) await this.check(entry);
        this.accept(entry, checkpoints.get(entry.sequence));
      }
      if (this.problems.length >= MAX_PROBLEMS) return;
    }
    await this.checkEnd(end);
  }

  /** The checkpoint's own entry is the first to be looked at, or what retention has left behind it. */
  private async begin({ sequence, hash }: SignedEnd): Promise<void> {
    const { value: page = [] } = await readEntries(this.parts.dataSource, this.chain, sequence - 1, 1).next();
    const [entry] = page;
    if (!entry) return this.report('cut', null, sequence);
    if (entry.sequence > sequence) {
      this.moveTo(null, entry.sequence - 1, entry.previous_hash);
      if (!(await this.isAfterRetention(entry))) this.report('deleted', null, sequence);
      return;
    }
    if (!entry.hash.equals(hash)) this.report('edited', entry.id, sequence);
    this.entries += 1;
    this.signed = sequence;
    this.moveTo(entry.id, sequence, entry.hash);
  }

  /** Whether an entry is the next one, as it was written. */
  private passes(entry: ReadEntry): boolean {
    const { end } = this.last;
    return entry.sequence === end.sequence + 1 && isSame(entry.previous_hash, end.hash) && this.isWhole(entry);
  }

  /** Finds out what is wrong with an entry, or before it. */
  private async check(entry: ReadEntry): Promise<void> {
    const { end } = this.last;
    const isNext = entry.sequence === end.sequence + 1;
    if (!isNext && !(await this.isAfterRetention(entry))) this.report('deleted', null, end.sequence + 1);
    if (!this.isWhole(entry)) await this.reportBroken(entry);
    else if (isNext && !isSame(entry.previous_hash, end.hash)) this.report('edited', this.last.id, end.sequence);
  }

  private isWhole(entry: ReadEntry): boolean {
    return hashEntry(entry, entry.sequence + this.shift, entry.previous_hash).equals(entry.hash);
  }

  private accept(entry: ReadEntry, checkpoint: SignedEnd | undefined): void {
    this.entries += 1;
    // Whoever has rewritten entries has rewritten all behind them, too, but not what was signed.
    if (checkpoint?.hash.equals(entry.hash) === false) this.report('edited', entry.id, entry.sequence);
    if (checkpoint) this.signed = entry.sequence;
    this.moveTo(entry.id, entry.sequence, entry.hash);
  }

  private async reportBroken(entry: ReadEntry): Promise<void> {
    const wasReordered = this.problems.at(-1)?.problem === 'reordered';
    const broken = await classifyBroken(this.parts.dataSource, entry, this.last.end, wasReordered);
    if (broken.shift !== 0) this.shift = broken.shift;
    if (broken.problem === 'inserted') this.report('inserted', this.last.id, this.last.end.sequence);
    else this.report(broken.problem, broken.problem === 'deleted' ? null : entry.id, entry.sequence);
  }

  private async checkEnd(before: ChainEnd | undefined): Promise<void> {
    const { sequence } = this.last.end;
    const [row] = await this.parts.dataSource.query<{ end: string; last: string; since: Date | null }[]>(
      `SELECT c.sequence AS end, c.unsigned_since AS since,
         (SELECT coalesce(max(e.sequence), c.sequence) FROM audit_entries e WHERE e.chain = c.chain) AS last
       FROM audit_chains c WHERE c.chain = $1`,
      [this.chain],
    );
    const [highest] = await this.parts.dataSource.query<{ sequence: number | null }[]>(
      'SELECT max(sequence)::float8 AS sequence FROM audit_checkpoints WHERE chain = $1',
      [this.chain],
    );
    const signedEnd = highest?.sequence ?? 0;
    if ((before?.sequence ?? 0) > sequence || signedEnd > sequence) return this.report('cut', null, sequence + 1);
    if (row && Number(row.last) > Number(row.end)) this.report('inserted', this.last.id, Number(row.end) + 1);
    const isLate =
      row?.since != null && row.since.getTime() < Date.now() - (CHECKPOINT_MINUTES + LATE_MINUTES) * 60_000;
    if (isLate || sequence - this.signed > CHECKPOINT_ENTRIES + LATE_ENTRIES) {
      this.report('unsigned', null, this.signed + 1);
    }
  }

  /** Whether what came before an entry was deleted as the operator wants: that is signed, and nothing of it is left. */
  private async isAfterRetention(entry: ReadEntry): Promise<boolean> {
    const { dataSource, checkpoints } = this.parts;
    if (entry.previous_hash === null) return false;
    const where = { chain: this.chain, sequence: String(entry.sequence - 1), purpose: 'retention' as const };
    const row = await dataSource.getRepository(AuditCheckpoint).findOneBy(where);
    const said = row && (await checkpoints.read(row.token));
    if (!said || said.chain !== this.chain || said.purpose !== 'retention') return false;
    if (said.sequence !== entry.sequence - 1 || !said.hash.equals(entry.previous_hash)) return false;
    const sql = 'SELECT FROM audit_entries WHERE chain = $1 AND sequence < $2 LIMIT 1';
    if ((await dataSource.query<object[]>(sql, [this.chain, entry.sequence])).length > 0) return false;
    this.signed = Math.max(this.signed, said.sequence);
    return true;
  }

  /** The end that the installation has written down; undefined where the chain has none. */
  private async findEnd(): Promise<ChainEnd | undefined> {
    const { dataSource, secretBox } = this.parts;
    const row = await dataSource.getRepository(AuditChain).findOneBy({ chain: this.chain });
    if (!row) return undefined;
    const end = toChainEnd(row);
    if (!row.mac?.equals(macOf(secretBox, end))) this.report('edited', null, end.sequence);
    return end;
  }

  private async readCheckpoints(page: readonly ReadEntry[]): Promise<Map<number, SignedEnd>> {
    const { dataSource, checkpoints } = this.parts;
    const rows = await dataSource.query<{ sequence: number; token: string }[]>(
      `SELECT sequence::float8 AS sequence, token FROM audit_checkpoints
       WHERE chain = $1 AND purpose = 'checkpoint' AND sequence BETWEEN $2 AND $3`,
      [this.chain, page[0]?.sequence, page.at(-1)?.sequence],
    );
    const found = new Map<number, SignedEnd>();
    for (const { sequence, token } of rows) {
      const said = await checkpoints.read(token);
      // What is not signed by this installation says nothing.
      if (said?.chain === this.chain && said.sequence === sequence) found.set(sequence, said);
    }
    return found;
  }

  private moveTo(id: string | null, sequence: number, hash: Buffer | null): void {
    this.last = { id, end: { chain: this.chain, sequence, hash } };
  }

  private report(problem: ProblemKind, id: string | null, sequence: number): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ chain: this.chain, id, sequence, problem });
  }
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
