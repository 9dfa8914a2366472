import { request } from './client.js';
import type { CallResult, Sight } from './client.js';
import { eventually } from '../support/probes/eventually.js';
import type { Life } from './replica.js';
import type { Query } from './servers.js';
import type { Seen, Upstream } from './upstream.js';

/** Longer than a lease (6 s) and a turn of the recovery (2 s), for a machine that is busy. */
const RECOVERY_SECONDS = 30;
const BYTES_PER_TOKEN = 3;
/** A record is waited for 5 s; the rest is for a machine that is busy. */
const LONGEST_REFUSAL_MS = 10_000;

/** A row of the ledger. */
export interface LedgerRow {
  readonly request_id: string;
  readonly state: 'open' | 'exact' | 'estimated';
  readonly outcome: 'completed' | 'cancelled' | 'failed' | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly reserved: number;
}

/** What the ledger is compared with. */
export interface Truth {
  readonly query: Query;
  readonly upstream: Upstream;
  readonly results: readonly CallResult[];
}

const ROWS = `
  SELECT request_id, state, outcome, prompt_tokens, completion_tokens, reserved_tokens::float8 AS reserved FROM calls`;

/** What the counters say beside what the rows add up to, where that differs, or something is open. */
const WRONG_COUNTERS = `
  SELECT q.subject, q.open_calls::float8, q.reserved_tokens::float8, q.settled_calls::float8, q.settled_tokens::float8,
         q.reserved_audio_ms::float8, q.settled_audio_ms::float8, coalesce(c.calls, 0)::float8 AS calls,
         coalesce(c.tokens, 0)::float8 AS tokens, coalesce(c.audio, 0)::float8 AS audio
  FROM quota_counters q
  LEFT JOIN (
    SELECT subject, period, count(*) AS calls, sum(prompt_tokens + completion_tokens) AS tokens,
           sum(audio_ms) AS audio
    FROM calls CROSS JOIN LATERAL (VALUES (tenant_id), (user_id)) AS of (subject)
    GROUP BY subject, period
  ) c USING (subject, period)
  WHERE q.open_calls <> 0 OR q.reserved_tokens <> 0 OR q.reserved_audio_ms <> 0
     OR q.settled_calls <> coalesce(c.calls, 0) OR q.settled_tokens <> coalesce(c.tokens, 0)
     OR q.settled_audio_ms <> coalesce(c.audio, 0)`;

/** Waits until every call is settled. */
export async function settled(query: Query): Promise<void> {
  await eventually('every call is settled', RECOVERY_SECONDS, async () => {
    const [row] = await query<{ open: number }>(`SELECT count(*)::integer AS open FROM calls WHERE state = 'open'`);
    return row?.open === 0;
  });
}

/** Compares the ledger with what the model server and the clients saw. @throws Error that lists what is wrong */
export async function checkLedger({ query, upstream, results }: Truth): Promise<readonly LedgerRow[]> {
  const rows = await query<LedgerRow>(ROWS);
  const problems: string[] = [];
  const byMark = new Map<string, LedgerRow>();
  for (const row of rows) {
    if (byMark.has(row.request_id)) problems.push(`${row.request_id} has more than one row`);
    byMark.set(row.request_id, row);
  }
  const say = (mark: string, problem: string): void => {
    const result = results.find(({ call }) => call.mark === mark);
    const sight = result && `${result.sight} ${result.status ?? ''} ${result.reason ?? ''}`;
    const known = { row: byMark.get(mark), seen: upstream.seen.get(mark), sight };
    problems.push(`${mark} ${problem}: ${JSON.stringify(known)}`);
  };
  for (const [mark, seen] of upstream.seen) {
    if (seen.times > 1) say(mark, 'came to the model server more than once');
    if (!byMark.has(mark)) say(mark, 'was seen by the model server and has no row');
  }
  const bySight = new Map(results.map((result) => [result.call.mark, result]));
  for (const row of rows) {
    const problem = problemOf(row, upstream.seen.get(row.request_id), bySight.get(row.request_id));
    if (problem) say(row.request_id, problem);
  }
  for (const { call, sight } of results) {
    if (sight === 'whole' && !byMark.has(call.mark)) say(call.mark, 'was answered and has no row');
  }
  problems.push(...(await wrongCounters(query)));
  failOn(problems);
  return rows;
}

/** Which counters do not say what the rows of calls add up to, or hold something open, when all calls are settled. */
export async function wrongCounters(query: Query): Promise<string[]> {
  return (await query(WRONG_COUNTERS)).map((row) => `counters differ: ${JSON.stringify(row)}`);
}

/** What of a row cannot be, given what the model server has seen of it, if anything. */
function problemOf(row: LedgerRow, seen: Seen | undefined, result: CallResult | undefined): string | undefined {
  const { state, outcome, prompt_tokens: prompt, completion_tokens: completion } = row;
  if (state === 'open' || outcome === null) return 'is not settled';
  if (row.reserved !== 0) return 'still holds a reservation';
  const isTruth = seen?.whole && prompt === seen.promptTokens && completion === seen.completionTokens;
  if (result?.sight === 'whole' && !(state === 'exact' && outcome === 'completed' && isTruth))
    return "was answered and does not have the model server's numbers";
  if (result?.usage && (result.usage.prompt_tokens !== prompt || result.usage.completion_tokens !== completion))
    return 'was told to its client with other numbers';
  if (!seen) return unseenProblemOf(row, result);
  if (outcome === 'completed' && !isTruth) return 'is completed, but not as the model server says';
  if (state === 'exact' && !isTruth) return "is exact without the model server's numbers";
  // A word is hardly more than two tokens.
  if (state === 'estimated' && completion > 2 * seen.pieces + 2) return 'has more tokens than the model server sent';
  return undefined;
}

/** A call that the model server has not seen costs its prompt where its process died, and never more. */
function unseenProblemOf(row: LedgerRow, result: CallResult | undefined): string | undefined {
  const { state, outcome, prompt_tokens: prompt, completion_tokens: completion } = row;
  // What the model server does not know is text to the platform.
  const texts = row.request_id + (result ? `"pace"${JSON.stringify(result.call.pace)}` : '');
  const estimate = Math.ceil(Buffer.byteLength(texts) / BYTES_PER_TOKEN);
  if (completion !== 0) return 'has tokens of an answer, and the model server has not seen it';
  if (state === 'estimated' && outcome === 'failed' && prompt === estimate) return undefined;
  // Refused because its record came late, or left before it was sent on.
  if (state === 'exact' && prompt === 0 && (outcome === 'failed' || result?.sight === 'left')) return undefined;
  // Left while it was on the way: the model server threw away what it had of the request.
  if (state === 'estimated' && outcome === 'cancelled' && result?.sight === 'left') return undefined;
  return 'was not seen by the model server, and is charged as if it had been';
}

/** Compares what a user is told with what the ledger has. @throws Error where it differs */
export async function checkQuota(life: Life, token: string, rows: readonly LedgerRow[]): Promise<void> {
  const { body } = await request(life, 'GET', '/v1/quota', { token });
  const tokens = rows.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0);
  const { requests, tokens: told } = body.usage;
  if (requests === rows.length && told === tokens) return;
  throw new Error(`GET /v1/quota tells ${requests} calls, ${told} tokens; the ledger has ${rows.length}, ${tokens}.`);
}

/** No process may refuse or lose a call while it is neither killed nor without its database. @throws Error */
export function checkSights(results: readonly CallResult[]): void {
  const wrong = results.filter(({ sight, life }) => sight !== 'whole' && sight !== 'left' && !life.killed);
  failOn(wrong.map(describeResult));
}

/**
 * While their database is away calls are refused, and streams end in an error, in bounded time.
 * @throws Error that lists what went otherwise
 */
export function checkOutageSights(results: readonly CallResult[]): void {
  const wrong = results.filter(({ life, sight, status, reason, milliseconds }) => {
    if (sight === 'whole' || sight === 'left' || life.killed) return false;
    if (sight === 'lost' || !reason?.includes('"unavailable"')) return true;
    return sight === 'refused' && (status !== 503 || milliseconds > LONGEST_REFUSAL_MS);
  });
  failOn(wrong.map(describeResult));
}

/** How long the slowest refusal took, in milliseconds. */
export function slowestRefusal(results: readonly CallResult[]): number {
  const refused = results.filter(({ sight }) => sight === 'refused');
  return Math.max(0, ...refused.map(({ milliseconds }) => Math.round(milliseconds)));
}

/** A call that went wrong, for a message. */
export function describeResult({ call, sight, status, reason, milliseconds }: CallResult): string {
  return `${call.mark} was ${sight} (${status ?? '-'}) after ${Math.round(milliseconds)} ms: ${reason}`;
}

/** How many calls were seen so. */
export function countOf(results: readonly CallResult[], ...sights: readonly Sight[]): number {
  return results.filter(({ sight }) => sights.includes(sight)).length;
}

/** @throws Error with the first of the problems, if there are any */
export function failOn(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new Error(`${problems.length} problems, such as:\n  ${problems.slice(0, 10).join('\n  ')}`);
}
