import type { DataSource } from 'typeorm';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
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

/** The entry that stands before another now. */
interface EntryBefore extends ChainEnd {
  /** Whether it was found to be in another's place. */
  readonly wasReordered: boolean;
}

/** Whether the entry that was sealed before another is there, not far from where it stands. */
const PREVIOUS = `
  SELECT FROM audit_entries
  WHERE chain = $1 AND hash = decode($2, 'hex') AND sequence BETWEEN $3::bigint - ${2 * NEARBY} AND $3::bigint + ${2 * NEARBY} LIMIT 1`;

/**
 * Tells what has been done to an entry. One that is whole with another number was moved: together with all behind it
 * where an entry was taken out or put in, else alone.
 */
export async function classifyBroken(
  dataSource: DataSource,
  entry: ReadEntry,
  before: EntryBefore,
  turn: CooperativeYield,
): Promise<BrokenEntry> {
  const shift = await shiftOf(entry, turn);
  if (shift === undefined) return { problem: 'edited', shift: 0 };
  const follows = entry.previous_hash !== null && before.hash === entry.previous_hash;
  const { chain, previous_hash: previousHash, sequence } = entry;
  const isPreviousThere =
    previousHash === null || (await dataSource.query<object[]>(PREVIOUS, [chain, previousHash, sequence])).length > 0;
  if (shift > 0 && (follows || !isPreviousThere)) return { problem: 'deleted', shift };
  if (shift < 0 && isPreviousThere && !follows && !before.wasReordered) return { problem: 'inserted', shift };
  return { problem: 'reordered', shift: 0 };
}

/** By how much an entry has another number than the one that it was sealed with; undefined where that is not near. */
async function shiftOf(entry: ReadEntry, turn: CooperativeYield): Promise<number | undefined> {
  if (!hasHash(entry)) return undefined;
  for (let distance = 1; distance <= NEARBY; distance += 1) {
    if (turn.isDue) await turn.yield();
    for (const shift of [distance, -distance]) {
      const sequence = entry.sequence + shift;
      if (sequence >= 1 && hasOwnHash(entry, sequence)) return shift;
    }
  }
  return undefined;
}
