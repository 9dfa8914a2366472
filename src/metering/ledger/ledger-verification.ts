import type { DataSource } from 'typeorm';

/** What was found in the ledger. */
export interface LedgerReport {
  readonly calls: number;
  readonly open: number;
  /** One line each; none: everything that is counted equals the ledger. */
  readonly differences: readonly string[];
}

/** The most lines of one kind. */
const LINES = 100;

const TOTALS = `
  SELECT count(*)::integer AS calls, (count(*) FILTER (WHERE state = 'open'))::integer AS open
  FROM calls WHERE area IS NOT NULL`;

/** $1: months that begin later are in the ledger whole. */
const COUNTERS = `
  WITH summed AS (
    SELECT subject, period, count(*) FILTER (WHERE state = 'open') AS open_calls,
           coalesce(sum(reserved_tokens) FILTER (WHERE state = 'open'), 0) AS reserved_tokens,
           count(*) FILTER (WHERE state <> 'open') AS settled_calls,
           coalesce(sum(prompt_tokens::bigint + completion_tokens) FILTER (WHERE state <> 'open'), 0) AS settled_tokens,
           coalesce(sum(reserved_audio_ms) FILTER (WHERE state = 'open'), 0) AS reserved_audio_ms,
           coalesce(sum(audio_ms::bigint) FILTER (WHERE state <> 'open'), 0) AS settled_audio_ms
    FROM calls CROSS JOIN LATERAL (VALUES (tenant_id), (user_id)) AS of (subject)
    WHERE area IS NOT NULL AND period >= $1
    GROUP BY subject, period
  )
  SELECT subject || ' ' || period || ': counted '
         || concat_ws(', ', c.open_calls, c.reserved_tokens, c.settled_calls, c.settled_tokens, c.reserved_audio_ms, c.settled_audio_ms) || '; in the ledger '
         || concat_ws(', ', s.open_calls, s.reserved_tokens, s.settled_calls, s.settled_tokens, s.reserved_audio_ms, s.settled_audio_ms)
         || ' (open calls, reserved tokens, settled calls, settled tokens, reserved and settled milliseconds of sound)' AS line
  FROM (SELECT * FROM quota_counters WHERE period >= $1) c FULL JOIN summed s USING (subject, period)
  WHERE (coalesce(c.open_calls, 0), coalesce(c.reserved_tokens, 0), coalesce(c.settled_calls, 0), coalesce(c.settled_tokens, 0),
         coalesce(c.reserved_audio_ms, 0), coalesce(c.settled_audio_ms, 0))
     <> (coalesce(s.open_calls, 0), coalesce(s.reserved_tokens, 0), coalesce(s.settled_calls, 0), coalesce(s.settled_tokens, 0),
         coalesce(s.reserved_audio_ms, 0), coalesce(s.settled_audio_ms, 0))
  LIMIT ${LINES}`;

/** $1: hours that begin later are in the ledger whole. */
const HOURS = `
  WITH summed AS (
    SELECT date_trunc('hour', settled_at, 'UTC') AS hour, tenant_id, user_id, area, model, count(*) AS calls,
           sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens, sum(audio_ms) AS audio_ms
    FROM calls
    WHERE area IS NOT NULL AND settled_at < (SELECT rolled_up_to FROM usage_watermark)
    GROUP BY 1, 2, 3, 4, 5
  )
  SELECT concat_ws(' ', hour, user_id, area, model) || ': counted '
         || concat_ws(', ', h.calls, h.prompt_tokens, h.completion_tokens, h.audio_ms) || '; in the ledger '
         || concat_ws(', ', s.calls, s.prompt_tokens, s.completion_tokens, s.audio_ms)
         || ' (calls, prompt, completion, milliseconds of sound)' AS line
  FROM (SELECT * FROM usage_hours WHERE hour >= $1) h
  FULL JOIN (SELECT * FROM summed WHERE hour >= $1) s USING (hour, tenant_id, user_id, area, model)
  WHERE (coalesce(h.calls, 0), coalesce(h.prompt_tokens, 0), coalesce(h.completion_tokens, 0), coalesce(h.audio_ms, 0))
     <> (coalesce(s.calls, 0), coalesce(s.prompt_tokens, 0), coalesce(s.completion_tokens, 0), coalesce(s.audio_ms, 0))
  LIMIT ${LINES}`;

const ABANDONED = `
  SELECT id || ': open since ' || created_at || ', and its process is gone' AS line FROM calls c
  WHERE state = 'open' AND created_at < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM processes p WHERE p.id = c.process_id AND p.alive_until > now() - interval '1 minute')
    AND EXISTS (SELECT FROM processes p WHERE p.alive_until > now())
  LIMIT ${LINES}`;

/**
 * Compares what is counted with the ledger, in one snapshot, so a server may go on meanwhile.
 * @param callsDays how long calls are kept; 0: for ever. What they were counted in longer ago cannot be compared
 */
export async function verifyLedger(dataSource: DataSource, callsDays: number): Promise<LedgerReport> {
  return dataSource.transaction('REPEATABLE READ', async (tx) => {
    const kept = callsDays === 0 ? new Date(0) : new Date(Date.now() - callsDays * 24 * 3_600_000);
    const [totals] = await tx.query<[{ calls: number; open: number }]>(TOTALS);
    const lines: { line: string }[] = [
      ...(await tx.query(COUNTERS, [kept])),
      ...(await tx.query(HOURS, [kept])),
      ...(await tx.query(ABANDONED)),
    ];
    return { ...totals, differences: lines.map(({ line }) => line) };
  });
}
