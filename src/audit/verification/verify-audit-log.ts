import { macOfRecord } from '../../platform/audit/record-mac.js';
import { ChainDigest } from '../chain/chain-digest.js';
import { ChainVerifier } from '../chain/chain-verifier.js';
import type { ChainProblem, VerifierParts } from '../chain/chain-verifier.js';
import type { SignedEnd } from '../chain/checkpoint-reader.js';
import type { WaitingRecord } from '../chain/record-admission.js';
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

/** Records that wait are this many at most, unless something is wrong. */
const MAX_WAITING = 1_000;

const WAITING = `
  SELECT coalesce(tenant_id, '${PLATFORM_CHAIN}') AS chain, id, tenant_id, action, actor_type, actor_id, target_type,
    target_id, outcome, reason, ip, user_agent, request_id, server_request_id, salts, created_at, mac
  FROM audit_records WHERE $1::text IS NULL OR coalesce(tenant_id, '${PLATFORM_CHAIN}') = $1
  ORDER BY ordinal LIMIT ${MAX_WAITING}`;

const COUNT_WAITING = `
  SELECT count(*)::float8 AS count FROM audit_records
  WHERE $1::text IS NULL OR coalesce(tenant_id, '${PLATFORM_CHAIN}') = $1`;

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
 * Verifies the audit log, in constant memory: each chain, then what all of them add up to, then what is not sealed yet.
 * @param chain a tenant's id or `platform`; undefined: all chains
 * @param from where the verification of its chain begins, and what that must be like
 */
export async function verifyAuditLog(
  parts: VerifierParts,
  chain: string | undefined,
  from?: SignedEnd,
): Promise<VerifiedAuditLog> {
  const { dataSource, secretBox } = parts;
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
  if (!(await new ChainDigest(secretBox).verify(dataSource))) {
    problems.push({ chain: only ?? PLATFORM_CHAIN, id: null, sequence: 0, problem: 'cut' });
  }
  problems.push(...(await findForgedRecords(parts, only)));
  const [waiting] = await dataSource.query<{ count: number }[]>(COUNT_WAITING, [only ?? null]);
  return { entries, unsealed: waiting?.count ?? 0, problems };
}

/** What waits to be sealed, and was not written like that by this installation. */
async function findForgedRecords(
  { dataSource, secretBox }: VerifierParts,
  chain: string | undefined,
): Promise<readonly ChainProblem[]> {
  const records = await dataSource.query<WaitingRecord[]>(WAITING, [chain ?? null]);
  return records
    .filter((record) => !record.mac.equals(macOfRecord(secretBox, record)))
    .slice(0, MAX_PROBLEMS)
    .map(({ chain: name, id }) => ({ chain: name, id, sequence: 0, problem: 'edited' }));
}
