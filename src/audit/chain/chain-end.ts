import type { SecretBox } from '../../platform/crypto/secret-box.js';

/** Where a chain ends: the last of its entries. */
export interface ChainEnd {
  readonly chain: string;
  /** 0: it has no entries. */
  readonly sequence: number;
  /** Hexadecimal; null: it has no entries. */
  readonly hash: string | null;
}

/** What is written down of the end of a chain: a row of `audit_chains`. */
export interface WrittenEnd extends ChainEnd {
  readonly hash: string;
  /** As in `AuditChain`. */
  readonly signedSequence: number;
  readonly unsignedSince: Date | null;
  readonly brokenSequence: number | null;
}

/** What shows that this installation has moved the end of a chain there. */
export function macOfEnd(secretBox: Pick<SecretBox, 'mac'>, end: WrittenEnd): Buffer {
  const { chain, sequence, hash, signedSequence, unsignedSince, brokenSequence } = end;
  // As a text: JSON has no infinity, which the database has.
  const since = unsignedSince === null ? null : String(Number(unsignedSince));
  const content = [chain, sequence, hash, signedSequence, since, brokenSequence];
  return secretBox.mac('audit-chain', JSON.stringify(content));
}

/** The columns of a `WrittenEnd` and its MAC, for a query in which `audit_chains` is `c`. */
export const END_COLUMNS = `
  c.chain, c.sequence::float8 AS sequence, encode(c.hash, 'hex') AS hash, c.signed_sequence::float8 AS "signedSequence",
  c.unsigned_since AS "unsignedSince", c.broken_sequence::float8 AS "brokenSequence", c.mac`;
