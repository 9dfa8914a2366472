import type { DataSource } from 'typeorm';
import type { HashedEntry } from './entry-hash.js';

const PAGE = 1_000;

/** An entry as verification reads it. */
export interface ReadEntry extends HashedEntry {
  readonly sequence: number;
  readonly previous_hash: Buffer | null;
  readonly hash: Buffer;
}

const SQL = `
  SELECT chain, sequence::float8 AS sequence, id, action, actor_type, actor_id, target_type, target_id, outcome, reason,
    ip, user_agent, request_id, server_request_id, salts, erased, previous_hash, hash, created_at
  FROM audit_entries WHERE chain = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`;

/**
 * Reads the entries of a chain in pages, none of them empty. While one page is looked at, the database reads the next.
 * @param after the sequence of the entry before the first
 */
export async function* readEntries(
  dataSource: DataSource,
  chain: string,
  after: number,
  size = PAGE,
): AsyncGenerator<ReadEntry[], undefined, undefined> {
  const read = (last: number): Promise<ReadEntry[]> => dataSource.query<ReadEntry[]>(SQL, [chain, last, size]);
  let page = await read(after);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const next = read(last.sequence);
    // Whoever stops here does not wait for it.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
  return undefined;
}
