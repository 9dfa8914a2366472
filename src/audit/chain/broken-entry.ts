import type { DataSource } from 'typeorm';
import type { ChainEnd } from './chain-end.js';
import { hasHash } from './entry-hash.js';
import { hasOwnHash } from './chain-reader.js';
import type { ReadEntry } from './chain-reader.js';

/** How far an entry is looked for from where it stands. */
const NEARBY = 1_000;

/** What has been done to an entry whose hash is not its own. */
export interface BrokenEntry {
  /** `inserted`: the entry before it was. */
  readonly problem: 'edited' | 'deleted' | 'inserted' | 'reordered';
  /** By how much this entry and those behind it are renumbered. */
  readonly shift: number;
}

/**
 * Tells what has been done to an entry. One that is whole with another number was moved: together with all behind it
 * where an entry was taken out or put in, else alone.
 * @param before the entry that stands before it now
 * @param wasReordered whether that one was found to be in another's place
 */
export async function classifyBroken(
  dataSource: DataSource,
  entry: ReadEntry,
  before: ChainEnd,
  wasReordered: boolean,
): Promise<BrokenEntry> {
  const shift = shiftOf(entry);
  if (shift === undefined) return { problem: 'edited', shift: 0 };
  const follows = entry.previous_hash !== null && before.hash?.equals(entry.previous_hash) === true;
  const sql = 'SELECT FROM audit_entries WHERE chain = $1 AND hash = $2 LIMIT 1';
  const isPreviousThere =
    entry.previous_hash === null ||
    (await dataSource.query<object[]>(sql, [entry.chain, entry.previous_hash])).length > 0;
  if (shift > 0 && (follows || !isPreviousThere)) return { problem: 'deleted', shift };
  if (shift < 0 && isPreviousThere && !follows && !wasReordered) return { problem: 'inserted', shift };
  return { problem: 'reordered', shift: 0 };
}

/** By how much an entry has another number than the one that it was sealed with; undefined where that is not near. */
function shiftOf(entry: ReadEntry): number | undefined {
  if (!hasHash(entry)) return undefined;
  for (let distance = 1; distance <= NEARBY; distance += 1) {
    for (const shift of [distance, -distance]) {
      const sequence = entry.sequence + shift;
      if (sequence >= 1 && hasOwnHash(entry, sequence)) return shift;
    }
  }
  return undefined;
}
