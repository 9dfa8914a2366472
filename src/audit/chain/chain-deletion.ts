import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { END_COLUMNS, macOfEnd } from './chain-end.js';
import type { ChainEnd, WrittenEnd } from './chain-end.js';
import { readEntries } from './chain-reader.js';
import type { EntryRange, ReadEntry } from './chain-reader.js';
import type { ChainProblem } from './chain-problem.js';
import type { SignedEnd } from './checkpoint-reader.js';
import { readDeletedEnds } from './deleted-chain.js';

/** What is written down of the end of a chain, with what shows who wrote it. */
export type StoredEnd = WrittenEnd & { readonly mac: Buffer };

/** What a verification has found. */
export interface ToldOfChain {
  readonly chain: string;
  readonly problems: readonly ChainProblem[];
  /** The last entry that was looked at. */
  readonly last: number;
  /** How far the chain went when this began, as the installation has written it down; undefined: it has not. */
  readonly written: Pick<ChainEnd, 'sequence' | 'hash'> | undefined;
  /** From where the chain was verified; undefined: from its beginning. */
  readonly from: SignedEnd | undefined;
}

interface DeletionParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
}

/** What is written down of the end of a chain; undefined where nothing is. */
export async function readStoredEnd(dataSource: DataSource, chain: string): Promise<StoredEnd | undefined> {
  const sql = `SELECT ${END_COLUMNS} FROM audit_chains c WHERE c.chain = $1`;
  const [row] = await dataSource.query<StoredEnd[]>(sql, [chain]);
  return row;
}

/**
 * Whether all that was found is that a chain was deleted with its tenant, before or while it was looked at. Where entries
 * are left, they are what was sealed.
 */
export async function isOfDeletion(parts: DeletionParts, told: ToldOfChain): Promise<boolean> {
  const { chain, problems, last, from } = told;
  if (problems.some(({ id }) => id !== null)) return false;
  const [ended] = await readDeletedEnds(parts.dataSource, parts.secretBox, chain);
  if (!ended) return false;
  const row = await readStoredEnd(parts.dataSource, chain);
  if (row) return isRestOf(parts, told, row, ended);
  if (last > ended.sequence) return false;
  const { sequence = 0, hash = null } = from ?? {};
  return ended.sequence > sequence || (ended.sequence === sequence && ended.hash === hash);
}

/** What comes while a chain is being deleted goes behind its end: of the rest the beginning is missing. */
async function isRestOf(
  { dataSource, secretBox }: DeletionParts,
  { chain, problems, from, written }: ToldOfChain,
  row: StoredEnd,
  ended: ChainEnd,
): Promise<boolean> {
  const isWhole = row.brokenSequence === null && row.mac.equals(macOfEnd(secretBox, row));
  const beginning = from?.sequence ?? 1;
  const isForgivable = problems.every(
    ({ problem, sequence }) =>
      problem === 'unsigned' ||
      (problem === 'deleted' && sequence === beginning) ||
      // It was deleted while it was looked at, as far as it went.
      (problem === 'cut' && written?.sequence === ended.sequence && written.hash === ended.hash),
  );
  if (!isWhole || !isForgivable) return false;
  const first = await firstEntry(dataSource, chain, { after: 0, until: row.sequence });
  if (!first) return false;
  if (first.sequence > ended.sequence) {
    return first.sequence === ended.sequence + 1 && first.previous_hash === ended.hash;
  }
  // A chain that has begun anew has its beginning.
  if (problems.every(({ problem }) => problem !== 'deleted')) return true;
  // Of one that is being deleted the end is there still, since entries go from the first on.
  const end = await firstEntry(dataSource, chain, { after: ended.sequence - 1, until: ended.sequence });
  return end?.hash === ended.hash;
}

async function firstEntry(dataSource: DataSource, chain: string, range: EntryRange): Promise<ReadEntry | undefined> {
  const { value: page = [] } = await readEntries(dataSource, chain, range, 1).next();
  return page[0];
}
