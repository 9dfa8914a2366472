import { isOwnRecord, WRITTEN_COLUMNS } from '../../platform/audit/record-mac.js';
import type { WrittenRecord } from '../../platform/audit/record-mac.js';
import { ChainDigest } from '../chain/chain-digest.js';
import { ChainVerifier } from '../chain/chain-verifier.js';
import type { ChainProblem } from '../chain/chain-problem.js';
import type { VerificationOptions, VerifierParts } from '../chain/chain-verifier.js';
import { PLATFORM_CHAIN } from '../entries/audit-entry.entity.js';

/** Problems that are told of all chains together. */
const MAX_PROBLEMS = 100;

/** Of the tables, in their indexes: there may be millions of rows. */
const CHAINS = `
  WITH RECURSIVE ${recursiveChains('entry_chains', 'audit_entries')},
    ${recursiveChains('signed_chains', 'audit_checkpoints')}
  SELECT chain FROM entry_chains WHERE chain IS NOT NULL
  UNION SELECT chain FROM signed_chains WHERE chain IS NOT NULL
  UNION SELECT chain FROM audit_chains ORDER BY chain`;

/** Records that wait are this many at most, unless something is wrong. */
const MAX_WAITING = 1_000;

const WAITING = `
  SELECT ${WRITTEN_COLUMNS} FROM audit_records WHERE $1::text IS NULL OR coalesce(tenant_id, '${PLATFORM_CHAIN}') = $1
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
  /** 100 at most: the first of each chain, and then others. */
  readonly problems: readonly ChainProblem[];
}

/** What is verified, see `VerificationOptions`. */
export interface AuditLogVerificationOptions extends VerificationOptions {
  /** A tenant's id or `platform`, that of `from` where there is one; left out: all chains. */
  readonly chain?: string;
}

/**
 * Verifies the audit log: each chain, then what all of them add up to, then what is not sealed yet. It is in constant
 * memory but for one row of each chain.
 * @throws the reason of the signal
 */
export async function verifyAuditLog(
  parts: VerifierParts,
  { chain, from, signal }: AuditLogVerificationOptions = {},
): Promise<VerifiedAuditLog> {
  const { dataSource, secretBox } = parts;
  const only = from?.chain ?? chain;
  const rows = only === undefined ? await dataSource.query<{ chain: string }[]>(CHAINS) : [{ chain: only }];
  let entries = 0;
  const first: ChainProblem[] = [];
  const others: ChainProblem[] = [];
  for (const { chain: name } of rows) {
    signal?.throwIfAborted();
    const verifier = new ChainVerifier(parts, name, { from, signal });
    await verifier.verify();
    entries += verifier.entries;
    first.push(...verifier.problems.slice(0, first.length < MAX_PROBLEMS ? 1 : 0));
    others.push(...verifier.problems.slice(1, 1 + MAX_PROBLEMS - others.length));
  }
  if (!(await new ChainDigest(secretBox).verify(dataSource, signal))) {
    first.push({ chain: only ?? PLATFORM_CHAIN, id: null, sequence: 0, problem: 'cut' });
  }
  others.push(...(await findForgedRecords(parts, only)));
  const [waiting] = await dataSource.query<{ count: number }[]>(COUNT_WAITING, [only ?? null]);
  return { entries, unsealed: waiting?.count ?? 0, problems: [...first, ...others].slice(0, MAX_PROBLEMS) };
}

/** What waits to be sealed, and was not written like that by this installation. */
async function findForgedRecords(
  { dataSource, secretBox }: VerifierParts,
  chain: string | undefined,
): Promise<readonly ChainProblem[]> {
  const records = await dataSource.query<WrittenRecord[]>(WAITING, [chain ?? null]);
  return records
    .filter((record) => !isOwnRecord(secretBox, record))
    .slice(0, MAX_PROBLEMS)
    .map(({ tenant_id: tenantId, id }) => ({ chain: tenantId ?? PLATFORM_CHAIN, id, sequence: 0, problem: 'edited' }));
}

/** The names of the chains of a table, one step in its index for each. */
function recursiveChains(name: string, table: string): string {
  return `${name} AS (
    (SELECT min(chain) AS chain FROM ${table})
    UNION ALL
    SELECT (SELECT min(t.chain) FROM ${table} t WHERE t.chain > n.chain) FROM ${name} n WHERE n.chain IS NOT NULL
  )`;
}
