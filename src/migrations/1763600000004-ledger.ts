import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger: calls are rows from their beginning, quotas are counted beside them, processes hold leases on them. */
export class Ledger1763600000004 implements MigrationInterface {
  readonly name = 'Ledger1763600000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, LEDGER_SETTLE, LEDGER_REFUSALS, LEDGER_FLUSH]) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const TABLES = [
  `CREATE TABLE processes (
    id text NOT NULL,
    started_at timestamptz(3) NOT NULL DEFAULT now(),
    alive_until timestamptz(3) NOT NULL,
    CONSTRAINT processes_pkey PRIMARY KEY (id)
  )`,
  `ALTER TABLE calls
    ADD COLUMN process_id text NOT NULL DEFAULT '',
    ADD COLUMN period date,
    ADD COLUMN reserved_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN duration_ms integer NOT NULL DEFAULT 0,
    ADD COLUMN claim_id text,
    ADD COLUMN claim_fingerprint text,
    ADD COLUMN sealed_answer bytea,
    ALTER COLUMN area DROP NOT NULL,
    ALTER COLUMN outcome DROP NOT NULL,
    ALTER COLUMN settled_at DROP NOT NULL`,
  "UPDATE calls SET period = date_trunc('month', settled_at AT TIME ZONE 'UTC')::date",
  `ALTER TABLE calls
    ALTER COLUMN period SET NOT NULL,
    ALTER COLUMN process_id DROP DEFAULT,
    ALTER COLUMN reserved_tokens DROP DEFAULT,
    ALTER COLUMN duration_ms DROP DEFAULT`,
  'DROP INDEX calls_user_settled',
  'DROP INDEX calls_tenant_settled',
  'CREATE INDEX calls_user ON calls (user_id, id)',
  'CREATE INDEX calls_settled_at ON calls (settled_at) WHERE settled_at IS NOT NULL',
  "CREATE INDEX calls_open ON calls (process_id) WHERE state = 'open'",
  'CREATE UNIQUE INDEX calls_claim ON calls (claim_id) WHERE claim_id IS NOT NULL',
  `CREATE TABLE quota_counters (
    subject text COLLATE "C" NOT NULL,
    period date NOT NULL,
    open_calls bigint NOT NULL DEFAULT 0,
    reserved_tokens bigint NOT NULL DEFAULT 0,
    settled_calls bigint NOT NULL DEFAULT 0,
    settled_tokens bigint NOT NULL DEFAULT 0,
    CONSTRAINT quota_counters_pkey PRIMARY KEY (subject, period)
  ) WITH (fillfactor = 50)`,
  `INSERT INTO quota_counters (subject, period, settled_calls, settled_tokens)
    SELECT subject, period, count(*), sum(prompt_tokens::bigint + completion_tokens)
    FROM calls CROSS JOIN LATERAL (VALUES (tenant_id), (user_id)) AS of (subject)
    GROUP BY subject, period`,
  `CREATE TABLE tenant_quotas (
    tenant_id text NOT NULL,
    enforcing boolean NOT NULL,
    requests bigint,
    tokens bigint,
    user_requests bigint,
    user_tokens bigint,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT tenant_quotas_pkey PRIMARY KEY (tenant_id),
    CONSTRAINT tenant_quotas_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE usage_hours (
    hour timestamptz(3) NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    area text NOT NULL,
    model text NOT NULL,
    calls bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    CONSTRAINT usage_hours_pkey PRIMARY KEY (tenant_id, user_id, hour, area, model)
  )`,
  'CREATE INDEX usage_hours_tenant ON usage_hours (tenant_id, hour)',
  `CREATE TABLE usage_watermark (
    id boolean NOT NULL DEFAULT true,
    rolled_up_to timestamptz(3) NOT NULL,
    CONSTRAINT usage_watermark_pkey PRIMARY KEY (id),
    CONSTRAINT usage_watermark_single CHECK (id)
  )`,
  "INSERT INTO usage_watermark (rolled_up_to) VALUES ('-infinity')",
];

/**
 * Settles calls, each once: an open one, or one that was estimated because its process seemed dead and is now told
 * exactly. Moves the counters by what the rows really changed, and the hours of usage where they were counted already.
 * The counters of the calls are locked by the caller.
 */
const LEDGER_SETTLE = `
  CREATE FUNCTION ledger_settle(p_settlements json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    corrections jsonb;
  BEGIN
    WITH told AS (
      SELECT * FROM json_to_recordset(p_settlements)
        AS t (id text, state text, outcome text, backend text, prompt integer, completion integer, ms integer,
              keep boolean, answer text)
    ), before AS MATERIALIZED (
      SELECT c.id, c.state = 'open' AS was_open, c.reserved_tokens, c.prompt_tokens, c.completion_tokens
      FROM calls c JOIN told t ON t.id = c.id
      WHERE c.state = 'open' OR (c.state = 'estimated' AND t.state = 'exact')
    ), changed AS (
      UPDATE calls c
      SET state = t.state, outcome = t.outcome, backend = coalesce(t.backend, c.backend),
          prompt_tokens = t.prompt, completion_tokens = t.completion, duration_ms = t.ms, reserved_tokens = 0,
          settled_at = coalesce(c.settled_at, clock_timestamp()),
          claim_id = CASE WHEN t.keep THEN c.claim_id END,
          claim_fingerprint = CASE WHEN t.keep THEN c.claim_fingerprint END,
          sealed_answer = decode(t.answer, 'base64')
      FROM told t JOIN before b ON b.id = t.id
      WHERE c.id = t.id AND c.state IN ('open', 'estimated')
      RETURNING c.tenant_id, c.user_id, c.period, c.area, c.model, c.settled_at, b.was_open, b.reserved_tokens,
                t.prompt - CASE WHEN b.was_open THEN 0 ELSE b.prompt_tokens END AS prompt,
                t.completion - CASE WHEN b.was_open THEN 0 ELSE b.completion_tokens END AS completion
    ), moved AS (
      SELECT subject, period, sum(reserved_tokens) AS reserved, sum(prompt::bigint + completion) AS tokens,
             count(*) FILTER (WHERE was_open) AS calls
      FROM changed CROSS JOIN LATERAL (VALUES (tenant_id), (user_id)) AS of (subject)
      WHERE area IS NOT NULL
      GROUP BY subject, period
    ), counted AS (
      UPDATE quota_counters q
      SET open_calls = q.open_calls - m.calls, reserved_tokens = q.reserved_tokens - m.reserved,
          settled_calls = q.settled_calls + m.calls, settled_tokens = q.settled_tokens + m.tokens
      FROM moved m WHERE q.subject = m.subject AND q.period = m.period
    )
    SELECT jsonb_agg(to_jsonb(changed)) FILTER (WHERE NOT was_open AND area IS NOT NULL) INTO corrections FROM changed;

    IF corrections IS NOT NULL THEN
      -- Whoever adds rows to the hours holds the same lock: the watermark tells whether they saw the old numbers.
      PERFORM pg_advisory_xact_lock(7217002);
      UPDATE usage_hours u
      SET prompt_tokens = u.prompt_tokens + c.prompt, completion_tokens = u.completion_tokens + c.completion
      FROM (
        SELECT date_trunc('hour', settled_at, 'UTC') AS hour, tenant_id, user_id, area, model,
               sum(prompt) AS prompt, sum(completion) AS completion
        FROM jsonb_to_recordset(corrections)
          AS c (settled_at timestamptz, tenant_id text, user_id text, area text, model text, prompt int, completion int)
        WHERE settled_at < (SELECT rolled_up_to FROM usage_watermark)
        GROUP BY 1, 2, 3, 4, 5
      ) c
      WHERE u.hour = c.hour AND u.tenant_id = c.tenant_id AND u.user_id = c.user_id
        AND u.area = c.area AND u.model = c.model;
    END IF;
  END $$`;

/**
 * The intents that an enforced quota refuses, judged in their order, each with the limit that it would exceed. A
 * subject's slot is its place in p_subjects; what a repeated flush has inserted before is not judged again.
 */
const LEDGER_REFUSALS = `
  CREATE FUNCTION ledger_refusals(
    p_subjects text[], p_periods date[], p_tenants text[], p_intents json, p_user_tokens bigint
  ) RETURNS TABLE (call_id text, verdict text) LANGUAGE plpgsql AS $$
  DECLARE
    token_limits bigint[];
    call_limits bigint[];
    tokens bigint[];
    calls_made bigint[];
    is_limited boolean;
    intent record;
    slot integer;
    refusal text;
  BEGIN
    SELECT array_agg(s.token_limit ORDER BY s.n), array_agg(s.call_limit ORDER BY s.n),
           bool_or(s.token_limit IS NOT NULL OR s.call_limit IS NOT NULL)
    INTO token_limits, call_limits, is_limited
    FROM (
      SELECT k.n,
             CASE WHEN q.tenant_id IS NULL AND k.subject <> k.tenant THEN p_user_tokens
                  WHEN NOT q.enforcing THEN NULL
                  WHEN k.subject = k.tenant THEN q.tokens ELSE q.user_tokens END AS token_limit,
             CASE WHEN NOT q.enforcing THEN NULL
                  WHEN k.subject = k.tenant THEN q.requests ELSE q.user_requests END AS call_limit
      FROM unnest(p_subjects, p_tenants) WITH ORDINALITY AS k (subject, tenant, n)
      LEFT JOIN tenant_quotas q ON q.tenant_id = k.tenant
    ) s;
    IF NOT is_limited THEN RETURN; END IF;

    SELECT array_agg(c.reserved_tokens + c.settled_tokens ORDER BY k.n),
           array_agg(c.open_calls + c.settled_calls ORDER BY k.n)
    INTO tokens, calls_made
    FROM unnest(p_subjects, p_periods) WITH ORDINALITY AS k (subject, period, n)
    JOIN quota_counters c ON c.subject = k.subject AND c.period = k.period;

    FOR intent IN
      SELECT i.id, i."user", i.tenant, i.reserve
      FROM json_to_recordset(p_intents) AS i (n integer, id text, "user" integer, tenant integer, reserve bigint,
                                              area text, claim text)
      WHERE i.area IS NOT NULL
        AND NOT EXISTS (SELECT FROM calls c WHERE c.id = i.id)
        AND (i.claim IS NULL OR NOT EXISTS (SELECT FROM calls c WHERE c.claim_id = i.claim))
      ORDER BY i.n
    LOOP
      refusal := NULL;
      FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
        IF calls_made[slot] + 1 > call_limits[slot] THEN refusal := 'requests'; END IF;
        IF tokens[slot] + intent.reserve > token_limits[slot] THEN refusal := 'tokens'; END IF;
      END LOOP;
      IF refusal IS NULL THEN
        FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
          calls_made[slot] := calls_made[slot] + 1;
          tokens[slot] := tokens[slot] + intent.reserve;
        END LOOP;
      ELSE
        call_id := intent.id;
        verdict := refusal;
        RETURN NEXT;
      END IF;
    END LOOP;
  END $$`;

/**
 * Writes what a process has to tell the ledger, in one transaction: settles calls, then admits new ones in their order.
 * Counters are locked in one order everywhere and move only by rows that were really inserted or updated, so a flush
 * that comes again after a lost connection changes nothing. Answers the intents that were not admitted: refused for
 * `requests` or `tokens`, or `claimed` by the call that has the same idempotency claim. Plans are made while the tables
 * are small and kept while they grow, so they must not be scans.
 */
const LEDGER_FLUSH = `
  CREATE FUNCTION ledger_flush(
    p_process text, p_lease_seconds integer, p_subjects text[], p_periods date[], p_tenants text[],
    p_intents json, p_settlements json, p_user_tokens bigint
  ) RETURNS TABLE (call_id text, verdict text, state text, fingerprint text, answer text)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  #variable_conflict use_column
  DECLARE
    refused text[];
    verdicts text[];
    claims text[];
  BEGIN
    IF NOT EXISTS (SELECT FROM processes WHERE id = p_process AND alive_until > now() + interval '2 seconds') THEN
      INSERT INTO processes (id, alive_until) VALUES (p_process, now() + make_interval(secs => p_lease_seconds))
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until;
    END IF;
    INSERT INTO quota_counters (subject, period)
      SELECT subject, period FROM unnest(p_subjects, p_periods) WITH ORDINALITY AS k (subject, period, n) ORDER BY n
      ON CONFLICT DO NOTHING;
    PERFORM 1 FROM quota_counters c JOIN unnest(p_subjects, p_periods) AS k (subject, period)
      ON c.subject = k.subject AND c.period = k.period
      ORDER BY c.subject, c.period FOR UPDATE OF c;

    IF p_settlements IS NOT NULL THEN PERFORM ledger_settle(p_settlements); END IF;
    IF p_intents IS NULL THEN RETURN; END IF;

    SELECT array_agg(i.claim) INTO claims
      FROM json_to_recordset(p_intents) AS i (claim text) WHERE i.claim IS NOT NULL;
    IF claims IS NOT NULL THEN
      UPDATE calls c SET claim_id = NULL, claim_fingerprint = NULL, sealed_answer = NULL
        WHERE c.claim_id = ANY (claims) AND c.state <> 'open' AND c.created_at < now() - interval '24 hours';
    END IF;
    SELECT coalesce(array_agg(r.call_id), '{}'), coalesce(array_agg(r.verdict), '{}') INTO refused, verdicts
      FROM ledger_refusals(p_subjects, p_periods, p_tenants, p_intents, p_user_tokens) r;

    WITH admitted AS (
      INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state,
                         prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, claim_id,
                         claim_fingerprint, created_at)
      SELECT i.id, p_subjects[i.tenant], p_subjects[i."user"], i.token, i.request, p_process, i.area, i.model, i.backend,
             'open', i.prompt, 0, i.reserve, 0, p_periods[i."user"], i.claim, i.fingerprint, i.at
      FROM json_to_recordset(p_intents)
        AS i (n integer, id text, "user" integer, tenant integer, token text, request text, area text, model text,
              backend text, prompt integer, reserve bigint, claim text, fingerprint text, at timestamptz)
      WHERE i.id <> ALL (refused)
      ORDER BY i.n
      ON CONFLICT DO NOTHING
      RETURNING tenant_id, user_id, period, area, reserved_tokens
    ), moved AS (
      SELECT subject, period, count(*) AS calls, sum(reserved_tokens) AS reserved
      FROM admitted CROSS JOIN LATERAL (VALUES (tenant_id), (user_id)) AS of (subject)
      WHERE area IS NOT NULL
      GROUP BY subject, period
    )
    UPDATE quota_counters q
      SET open_calls = q.open_calls + m.calls, reserved_tokens = q.reserved_tokens + m.reserved
      FROM moved m WHERE q.subject = m.subject AND q.period = m.period;

    RETURN QUERY SELECT r.id, r.verdict, NULL::text, NULL::text, NULL::text FROM unnest(refused, verdicts) AS r (id, verdict);
    IF claims IS NOT NULL THEN
      RETURN QUERY SELECT i.id, 'claimed', c.state, c.claim_fingerprint, encode(c.sealed_answer, 'base64')
        FROM json_to_recordset(p_intents) AS i (id text, claim text)
        JOIN calls c ON c.claim_id = i.claim AND c.id <> i.id;
    END IF;
  END $$`;
