import { ChainVerifier } from '../chain/chain-verifier.js';
import type { ChainProblem, VerifierParts } from '../chain/chain-verifier.js';
import type { SignedEnd } from '../chain/checkpoint-reader.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';

/** Problems that are told of all chains together. */
const MAX_PROBLEMS = 100;

/** Of tables, in the index: there may be millions of entries. */
const CHAINS = `
  WITH RECURSIVE chains AS (
    (SELECT min(chain) AS chain FROM audit_entries)
    UNION ALL
    SELECT (SELECT min(e.chain) FROM audit_entries e WHERE e.chain > c.chain) FROM chains c WHERE c.chain IS NOT NULL
  )
  SELECT chain FROM chains WHERE chain IS NOT NULL
  UNION SELECT chain FROM audit_chains UNION SELECT DISTINCT chain FROM audit_checkpoints ORDER BY chain`;

/** What was found. */
export interface VerifiedAuditLog {
  /** Entries that were looked at. */
  readonly entries: number;
  /** What is written down, and not sealed yet. */
  readonly unsealed: number;
  /** At most 100, the first of each chain among them. */
  readonly problems: readonly ChainProblem[];
}

/**
 * Verifies the audit log, in constant memory.
 * @param chain a tenant's id or `platform`; undefined: all chains
 * @param from where the verification of its chain begins, and what that must be like
 */
export async function verifyAuditLog(
  parts: VerifierParts,
  chain: string | undefined,
  from?: SignedEnd,
): Promise<VerifiedAuditLog> {
  const { dataSource } = parts;
  const only = from?.chain ?? chain;
  const rows = only === undefined ? await dataSource.query<{ chain: string }[]>(CHAINS) : [{ chain: only }];
  let entries = 0;
  const problems: ChainProblem[] = [];
  for (const { chain: name } of rows) {
    const verifier = new ChainVerifier(parts, name, from);
    await verifier.verify();
    entries += verifier.entries;
    problems.push(...verifier.problems.slice(0, Math.max(1, MAX_PROBLEMS - problems.length)));
  }
  const [waiting] = await dataSource.query<{ count: number }[]>(
    `SELECT count(*)::float8 AS count FROM audit_records WHERE $1::text IS NULL OR coalesce(tenant_id, '${PLATFORM_CHAIN}') = $1`,
    [only ?? null],
  );
  return { entries, unsealed: waiting?.count ?? 0, problems };
}
