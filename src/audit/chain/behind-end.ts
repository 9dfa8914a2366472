import type { DataSource } from 'typeorm';
import type { ChainEnd } from './chain-end.js';

/** The largest number that an entry can have: of what is beyond, a JavaScript number would be another. */
export const LARGEST_SEQUENCE = Number.MAX_SAFE_INTEGER;

/** What stands where a chain does not reach. */
export interface BehindEnd {
  /** Whether it is written down where the chain ends. */
  readonly end: boolean;
  /** An entry that nobody has sealed there; null: there is none. */
  readonly entry: { readonly id: string; readonly sequence: number } | null;
  /** A checkpoint of an entry that is not there; null: there is none. */
  readonly checkpoint: { readonly token: string; readonly sequence: number } | null;
}

/** Each range by itself is read from the index, however long the chain is. */
const BEHIND_END = `
  SELECT c.chain IS NOT NULL AS end, to_json(e) AS entry, to_json(s) AS checkpoint
  FROM (VALUES ($1)) AS n (chain) LEFT JOIN audit_chains c ON c.chain = n.chain
  LEFT JOIN LATERAL (
    (SELECT id, sequence::float8 AS sequence FROM audit_entries
     WHERE chain = n.chain AND sequence < 1 ORDER BY audit_entries.sequence LIMIT 1)
    UNION ALL
    (SELECT id, sequence::float8 AS sequence FROM audit_entries
     WHERE chain = n.chain AND sequence > coalesce(c.sequence, $2) ORDER BY audit_entries.sequence LIMIT 1)
    LIMIT 1
  ) e ON true
  LEFT JOIN LATERAL (
    (SELECT token, sequence::float8 AS sequence FROM audit_checkpoints
     WHERE chain = n.chain AND sequence > coalesce(c.sequence, $2) ORDER BY audit_checkpoints.sequence DESC LIMIT 1)
    UNION ALL
    (SELECT token, sequence::float8 AS sequence FROM audit_checkpoints
     WHERE chain = n.chain AND sequence < 1 ORDER BY audit_checkpoints.sequence DESC LIMIT 1)
    LIMIT 1
  ) s ON true`;

/**
 * Reads what stands where a chain does not reach: in one statement, since chains grow meanwhile.
 * @param end where the chain ends if that is not written down
 */
export async function readBehindEnd(
  dataSource: DataSource,
  end: Pick<ChainEnd, 'chain' | 'sequence'>,
): Promise<BehindEnd> {
  const [row] = await dataSource.query<BehindEnd[]>(BEHIND_END, [end.chain, end.sequence]);
  return row ?? { end: false, entry: null, checkpoint: null };
}
