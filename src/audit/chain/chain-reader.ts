import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { hashEntry, hasHash } from './entry-hash.js';
import type { HashedEntry } from './entry-hash.js';
import { isErasureConsistent, macOfEntry } from './entry-mac.js';

const PAGE = 1_000;

/** An entry as verification reads it. */
export interface ReadEntry extends HashedEntry {
  readonly sequence: number;
  /** Hexadecimal, as `hash` is; null for the first one. */
  readonly previous_hash: string | null;
  readonly hash: string;
  readonly mac: Buffer;
}

/** The columns of a `ReadEntry`. */
export const ENTRY_COLUMNS = `
  chain, sequence::float8 AS sequence, id, action, actor_type, actor_id, target_type, target_id, outcome, reason, ip,
  user_agent, request_id, server_request_id, salts, erased, encode(previous_hash, 'hex') AS previous_hash,
  encode(hash, 'hex') AS hash, mac, created_at`;

const SQL = `
  SELECT ${ENTRY_COLUMNS} FROM audit_entries
  WHERE chain = $1 AND sequence > $2 AND sequence <= $3 ORDER BY audit_entries.sequence LIMIT $4`;

/** Where the entries are that are read. */
export interface EntryRange {
  /** The sequence of the entry before the first. */
  readonly after: number;
  /** The sequence of the last one. */
  readonly until: number;
}

/**
 * Reads the entries of a chain in pages, none of them empty.
 * @param size of a page
 */
export async function* readEntries(
  dataSource: DataSource,
  chain: string,
  { after, until }: EntryRange,
  size = PAGE,
): AsyncGenerator<ReadEntry[], undefined, undefined> {
  for (let last = after; ;) {
    const page = await dataSource.query<ReadEntry[]>(SQL, [chain, last, until, size]);
    const end = page.at(-1);
    if (!end) return undefined;
    yield page;
    last = end.sequence;
  }
}

/** Whether an entry is what this installation has sealed, and erased of it what is erased. */
export function isOwnEntry(secretBox: Pick<SecretBox, 'mac'>, entry: ReadEntry): boolean {
  return hasOwnHash(entry) && hasOwnMac(secretBox, entry);
}

/**
 * Whether the hash of an entry is its own.
 * @param sequence the number that it was sealed with
 */
export function hasOwnHash(entry: ReadEntry, sequence = entry.sequence): boolean {
  return hasHash(entry) && hashEntry(entry, sequence, entry.previous_hash) === entry.hash;
}

/** Whether this installation has put the hash of an entry there, and what is left where something is erased. */
export function hasOwnMac(secretBox: Pick<SecretBox, 'mac'>, entry: ReadEntry): boolean {
  return isErasureConsistent(entry) && entry.mac.equals(macOfEntry(secretBox, entry, entry.hash));
}
