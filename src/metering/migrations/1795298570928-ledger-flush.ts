/**
 * Writes what a process has to tell the ledger, in one transaction and for the whole batch at once: settles the calls that
 * are open, moves the counters by them and by all that asks to be admitted, and inserts the new calls where that keeps
 * every counter within its limits. What is left goes one by one, through the two functions below.
 *
 * What is locked is locked in one order everywhere: the calls that are settled by their ids, then the counters in the
 * order of their slots, then what is inserted. A limit is compared with a counter that nobody else can move until this
 * transaction ends. Counters move only by rows that were really inserted or updated, so a flush that comes again after a
 * lost connection changes nothing.
 *
 * Rows must be found by their keys, one by one, whatever the planner knows: a plan is made while the tables are small, and
 * kept while they grow. So there are the settings; `= ANY (ARRAY[id])`, since a plain equality would let a join read the
 * whole index; and `settled_at IS NULL`, since `state = 'open'` would let it read all open calls.
 *
 * `p_calls` and `p_tokens` are what the intents move each slot by. Answers the intents that were not admitted: refused
 * for `requests` or `tokens`, or `claimed` by the call that has the same idempotency claim. Before them come the intents,
 * admitted or not, of whoever has a limit of tokens that is enforced: `limited`.
 */
export const LEDGER_FLUSH = `
  CREATE FUNCTION ledger_flush(
    p_process text, p_lease_seconds integer, p_subjects text[], p_periods date[], p_tenants text[],
    p_calls bigint[], p_tokens bigint[], p_intents json, p_settlements json, p_user_tokens bigint
  ) RETURNS TABLE (call_id text, verdict text, state text, fingerprint text, answer text)
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  AS $$
  #variable_conflict use_column
  DECLARE
    slots integer := cardinality(p_subjects);
    slot integer;
    opened bigint[] := p_calls;
    reserved bigint[] := p_tokens;
    settled bigint[] := array_fill(0, ARRAY[slots]);
    used bigint[] := settled;
    written integer := 0;
    entry record;
    -- What each slot has, open and settled together, and what it may have.
    counted_calls bigint[];
    counted_tokens bigint[];
    call_limits bigint[];
    token_limits bigint[];
    tenant text;
    quota tenant_quotas;
    is_near boolean := false;
    is_limited boolean := false;
    admitted text[] := '{}';
  BEGIN
    IF NOT EXISTS (SELECT FROM processes WHERE id = p_process AND alive_until > now() + interval '2 seconds') THEN
      INSERT INTO processes (id, alive_until) VALUES (p_process, now() + make_interval(secs => p_lease_seconds))
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until;
    END IF;

    IF p_settlements IS NOT NULL THEN
      FOR entry IN
        UPDATE calls c
          SET state = t.state, outcome = t.outcome, backend = coalesce(t.backend, c.backend),
              prompt_tokens = t.prompt, completion_tokens = t.completion, duration_ms = t.ms,
              reserved_tokens = 0, recovered = t.recovered, settled_at = clock_timestamp(),
              claim_id = CASE WHEN t.keep THEN c.claim_id END,
              claim_fingerprint = CASE WHEN t.keep THEN c.claim_fingerprint END,
              sealed_answer = decode(t.answer, 'base64')
          FROM json_to_recordset(p_settlements)
            AS t (id text, "user" integer, tenant integer, state text, outcome text, backend text, prompt integer,
                  completion integer, ms integer, keep boolean, answer text, recovered boolean)
          WHERE c.id = ANY (ARRAY[t.id]) AND c.settled_at IS NULL
          -- A statement does not see what it changes itself: this is what the call has held.
          RETURNING t."user", t.tenant, c.area, t.prompt + t.completion AS tokens,
                    (SELECT b.reserved_tokens FROM calls b WHERE b.id = c.id) AS held
      LOOP
        written := written + 1;
        CONTINUE WHEN entry.area IS NULL;
        FOREACH slot IN ARRAY ARRAY[entry."user", entry.tenant] LOOP
          opened[slot] := opened[slot] - 1;
          reserved[slot] := reserved[slot] - entry.held;
          settled[slot] := settled[slot] + 1;
          used[slot] := used[slot] + entry.tokens;
        END LOOP;
      END LOOP;
      IF written < json_array_length(p_settlements) THEN
        FOR entry IN SELECT * FROM ledger_correct(p_settlements) LOOP
          used[entry.slot] := used[entry.slot] + entry.tokens;
        END LOOP;
      END IF;
    END IF;

    WITH counted AS (
      INSERT INTO quota_counters AS c (subject, period, open_calls, reserved_tokens, settled_calls, settled_tokens)
        SELECT p_subjects[slot], p_periods[slot], opened[slot], reserved[slot], settled[slot], used[slot]
        FROM generate_series(1, slots) AS slot
        ON CONFLICT (subject, period) DO UPDATE
        SET open_calls = c.open_calls + excluded.open_calls,
            reserved_tokens = c.reserved_tokens + excluded.reserved_tokens,
            settled_calls = c.settled_calls + excluded.settled_calls,
            settled_tokens = c.settled_tokens + excluded.settled_tokens
        RETURNING c.open_calls + c.settled_calls AS calls, c.reserved_tokens + c.settled_tokens AS tokens
    )
    SELECT array_agg(calls), array_agg(tokens) INTO counted_calls, counted_tokens FROM counted;
    IF p_intents IS NULL THEN RETURN; END IF;

    FOR slot IN 1 .. slots LOOP
      CONTINUE WHEN p_calls[slot] = 0;
      IF tenant IS DISTINCT FROM p_tenants[slot] THEN
        tenant := p_tenants[slot];
        SELECT * INTO quota FROM tenant_quotas WHERE tenant_id = tenant;
      END IF;
      IF quota.tenant_id IS NULL AND p_subjects[slot] <> tenant THEN
        token_limits[slot] := p_user_tokens;
      ELSIF quota.enforcing AND p_subjects[slot] <> tenant THEN
        call_limits[slot] := quota.user_requests;
        token_limits[slot] := quota.user_tokens;
      ELSIF quota.enforcing THEN
        call_limits[slot] := quota.requests;
        token_limits[slot] := quota.tokens;
      END IF;
      is_limited := is_limited OR token_limits[slot] IS NOT NULL;
      IF counted_calls[slot] > call_limits[slot] OR counted_tokens[slot] > token_limits[slot] THEN
        is_near := true;
      END IF;
    END LOOP;
    IF is_limited THEN
      RETURN QUERY SELECT i.id, 'limited', NULL::text, NULL::text, NULL::text
        FROM json_to_recordset(p_intents) AS i (id text, "user" integer, tenant integer, area text)
        WHERE i.area IS NOT NULL AND coalesce(token_limits[i."user"], token_limits[i.tenant]) IS NOT NULL;
    END IF;
    IF NOT is_near THEN
      FOR entry IN
        INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state,
                           prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, created_at)
          SELECT i.id, p_subjects[i.tenant], p_subjects[i."user"], i.token, i.request, p_process, i.area, i.model,
                 i.backend, 'open', i.prompt, 0, i.reserve, 0, p_periods[i."user"], i.at
          FROM json_to_recordset(p_intents)
            AS i (id text, "user" integer, tenant integer, token text, request text, area text, model text,
                  backend text, prompt integer, reserve bigint, claim text, at timestamptz)
          WHERE i.claim IS NULL
          ON CONFLICT (id) DO NOTHING
          RETURNING id
      LOOP
        admitted := admitted || entry.id;
      END LOOP;
    END IF;
    IF cardinality(admitted) < json_array_length(p_intents) THEN
      RETURN QUERY SELECT * FROM ledger_admit_one_by_one(
        p_process, p_subjects, p_periods, counted_calls, counted_tokens, call_limits, token_limits, p_intents, admitted);
    END IF;
  END $$`;

/**
 * Settles again what has been settled, and answers what each slot has used more. What is exact stays. What was estimated
 * because its process seemed dead is corrected once, by the real end, and recovery itself settles only what is open.
 */
export const LEDGER_CORRECT = `
  CREATE FUNCTION ledger_correct(p_settlements json) RETURNS TABLE (slot integer, tokens bigint)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    settlement record;
    before calls;
    corrections jsonb := '[]';
  BEGIN
    FOR settlement IN
      SELECT * FROM json_to_recordset(p_settlements)
        AS t (id text, "user" integer, tenant integer, state text, outcome text, backend text, prompt integer,
              completion integer, ms integer, keep boolean, answer text, recovered boolean)
    LOOP
      SELECT * INTO before FROM calls WHERE id = settlement.id FOR UPDATE;
      CONTINUE WHEN before.state IS DISTINCT FROM 'estimated' OR settlement.recovered
        OR (settlement.state = 'estimated' AND NOT before.recovered);
      UPDATE calls
        SET state = settlement.state, outcome = settlement.outcome, backend = coalesce(settlement.backend, before.backend),
            prompt_tokens = settlement.prompt, completion_tokens = settlement.completion, duration_ms = settlement.ms, recovered = false,
            claim_id = CASE WHEN settlement.keep THEN before.claim_id END,
            claim_fingerprint = CASE WHEN settlement.keep THEN before.claim_fingerprint END,
            sealed_answer = decode(settlement.answer, 'base64')
        WHERE id = settlement.id;
      CONTINUE WHEN before.area IS NULL;
      corrections := corrections
        || jsonb_build_array(to_jsonb(before) || jsonb_build_object('settlement', to_jsonb(settlement)));
      tokens := (settlement.prompt - before.prompt_tokens) + (settlement.completion - before.completion_tokens);
      FOREACH slot IN ARRAY ARRAY[settlement."user", settlement.tenant] LOOP
        RETURN NEXT;
      END LOOP;
    END LOOP;
    IF corrections <> '[]' THEN PERFORM correct_usage_hours(corrections); END IF;
  END $$`;

/**
 * Admits intents in their order, each if it is within the limits and nobody else has its claim. They have been counted
 * already, with the whole batch, so that is taken back first. `p_admitted` are those that are admitted and stay counted.
 */
export const LEDGER_ADMIT_ONE_BY_ONE = `
  CREATE FUNCTION ledger_admit_one_by_one(
    p_process text, p_subjects text[], p_periods date[], counted_calls bigint[], counted_tokens bigint[],
    call_limits bigint[], token_limits bigint[], p_intents json, p_admitted text[]
  ) RETURNS TABLE (call_id text, verdict text, state text, fingerprint text, answer text)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    slot integer;
    opened bigint[] := array_fill(0, ARRAY[cardinality(p_subjects)]);
    reserved bigint[] := opened;
    intent record;
    before calls;
  BEGIN
    FOR intent IN
      SELECT slot, count(*) AS calls, sum(i.reserve) AS tokens
      FROM json_to_recordset(p_intents) AS i (id text, "user" integer, tenant integer, area text, reserve bigint)
      CROSS JOIN LATERAL (VALUES (i."user"), (i.tenant)) AS of (slot)
      WHERE i.area IS NOT NULL AND i.id <> ALL (p_admitted)
      GROUP BY slot
    LOOP
      opened[intent.slot] := - intent.calls;
      reserved[intent.slot] := - intent.tokens;
    END LOOP;
    FOR intent IN
      SELECT * FROM json_to_recordset(p_intents)
        AS i (id text, "user" integer, tenant integer, token text, request text, area text, model text, backend text,
              prompt integer, reserve bigint, claim text, fingerprint text, at timestamptz)
        WHERE i.id <> ALL (p_admitted)
    LOOP
      call_id := intent.id;
      verdict := NULL;
      state := NULL;
      fingerprint := NULL;
      answer := NULL;
      IF intent.claim IS NOT NULL THEN
        SELECT * INTO before FROM calls WHERE claim_id = intent.claim AND id <> intent.id;
        IF before.state <> 'open' AND before.created_at < now() - interval '24 hours' THEN
          UPDATE calls SET claim_id = NULL, claim_fingerprint = NULL, sealed_answer = NULL WHERE id = before.id;
        ELSIF before.id IS NOT NULL THEN
          verdict := 'claimed';
          state := before.state;
          fingerprint := before.claim_fingerprint;
          answer := encode(before.sealed_answer, 'base64');
          RETURN NEXT;
          CONTINUE;
        END IF;
      END IF;
      IF intent.area IS NOT NULL THEN
        FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
          IF counted_calls[slot] + opened[slot] + 1 > call_limits[slot] THEN
            verdict := 'requests';
          ELSIF counted_tokens[slot] + reserved[slot] + intent.reserve > token_limits[slot] THEN
            verdict := 'tokens';
          END IF;
        END LOOP;
      END IF;
      IF verdict IS NOT NULL THEN
        -- A flush that comes again finds what it has reserved itself.
        CONTINUE WHEN EXISTS (SELECT FROM calls WHERE id = intent.id);
        RETURN NEXT;
        CONTINUE;
      END IF;
      INSERT INTO calls (id, tenant_id, user_id, token_id, request_id, process_id, area, model, backend, state,
                         prompt_tokens, completion_tokens, reserved_tokens, duration_ms, period, claim_id,
                         claim_fingerprint, created_at)
        VALUES (intent.id, p_subjects[intent.tenant], p_subjects[intent."user"], intent.token, intent.request, p_process,
                intent.area, intent.model, intent.backend, 'open', intent.prompt, 0, intent.reserve, 0,
                p_periods[intent."user"], intent.claim, intent.fingerprint, intent.at)
        ON CONFLICT (id) DO NOTHING;
      CONTINUE WHEN NOT FOUND OR intent.area IS NULL;
      FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
        opened[slot] := opened[slot] + 1;
        reserved[slot] := reserved[slot] + intent.reserve;
      END LOOP;
    END LOOP;
    FOR slot IN 1 .. cardinality(p_subjects) LOOP
      CONTINUE WHEN opened[slot] = 0 AND reserved[slot] = 0;
      UPDATE quota_counters
        SET open_calls = open_calls + opened[slot], reserved_tokens = reserved_tokens + reserved[slot]
        WHERE subject = p_subjects[slot] AND period = p_periods[slot];
    END LOOP;
  END $$`;
