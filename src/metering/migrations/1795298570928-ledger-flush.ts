/**
 * Writes what a process has to tell the ledger, in one transaction: settles calls, then admits new ones in their order.
 *
 * Every counter that may move has a slot, in one order everywhere, in which they are locked; so the calls of a user or a
 * tenant are changed by one flush at a time. Counters move only by rows that were really inserted or updated, so a flush
 * that comes again after a lost connection changes nothing. Rows are looked up one by one: the plan of a join is made
 * while the tables are small, and kept while they grow.
 *
 * Answers the intents that were not admitted: refused for `requests` or `tokens`, or `claimed` by the call that has the
 * same idempotency claim.
 */
export const LEDGER_FLUSH = `
  CREATE FUNCTION ledger_flush(
    p_process text, p_lease_seconds integer, p_subjects text[], p_periods date[], p_tenants text[],
    p_intents json, p_settlements json, p_user_tokens bigint
  ) RETURNS TABLE (call_id text, verdict text, state text, fingerprint text, answer text)
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  AS $$
  #variable_conflict use_column
  DECLARE
    slot integer;
    counter quota_counters;
    counters quota_counters[];
    quota tenant_quotas;
    request_limits bigint[];
    token_limits bigint[];
    told record;
    before calls;
    intent record;
    refusal text;
    corrections jsonb := '[]';
  BEGIN
    IF NOT EXISTS (SELECT FROM processes WHERE id = p_process AND alive_until > now() + interval '2 seconds') THEN
      INSERT INTO processes (id, alive_until) VALUES (p_process, now() + make_interval(secs => p_lease_seconds))
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until;
    END IF;
    INSERT INTO quota_counters (subject, period)
      SELECT subject, period FROM unnest(p_subjects, p_periods) WITH ORDINALITY AS k (subject, period, n) ORDER BY n
      ON CONFLICT DO NOTHING;
    FOR slot IN 1 .. cardinality(p_subjects) LOOP
      SELECT * INTO counter FROM quota_counters
        WHERE subject = p_subjects[slot] AND period = p_periods[slot] FOR UPDATE;
      counters[slot] := counter;
    END LOOP;

    FOR told IN
      SELECT * FROM json_to_recordset(p_settlements)
        AS t (id text, "user" integer, tenant integer, state text, outcome text, backend text, prompt integer,
              completion integer, ms integer, keep boolean, answer text, recovered boolean)
    LOOP
      SELECT * INTO before FROM calls WHERE id = told.id FOR UPDATE;
      -- What is exact stays. What was estimated because its process seemed dead is corrected once, by the real end,
      -- and recovery itself settles only what is open.
      CONTINUE WHEN before.state IS NULL OR before.state = 'exact'
        OR (before.state = 'estimated' AND (coalesce(told.recovered, false) OR (told.state = 'estimated' AND NOT before.recovered)));
      UPDATE calls
        SET state = told.state, outcome = told.outcome, backend = coalesce(told.backend, before.backend),
            prompt_tokens = told.prompt, completion_tokens = told.completion, duration_ms = told.ms,
            reserved_tokens = 0, recovered = coalesce(told.recovered, false), settled_at = coalesce(before.settled_at, clock_timestamp()),
            claim_id = CASE WHEN told.keep THEN before.claim_id END,
            claim_fingerprint = CASE WHEN told.keep THEN before.claim_fingerprint END,
            sealed_answer = decode(told.answer, 'base64')
        WHERE id = told.id;
      CONTINUE WHEN before.area IS NULL;
      FOREACH slot IN ARRAY ARRAY[told."user", told.tenant] LOOP
        counter := counters[slot];
        IF before.state = 'open' THEN
          counter.open_calls := counter.open_calls - 1;
          counter.reserved_tokens := counter.reserved_tokens - before.reserved_tokens;
          counter.settled_calls := counter.settled_calls + 1;
          counter.settled_tokens := counter.settled_tokens + told.prompt + told.completion;
        ELSE
          counter.settled_tokens := counter.settled_tokens
            + (told.prompt - before.prompt_tokens) + (told.completion - before.completion_tokens);
        END IF;
        counters[slot] := counter;
      END LOOP;
      IF before.state = 'estimated' THEN
        corrections := corrections
          || jsonb_build_array(to_jsonb(before) || jsonb_build_object('told', to_jsonb(told)));
      END IF;
    END LOOP;

    IF p_intents IS NOT NULL THEN
      FOR slot IN 1 .. cardinality(p_subjects) LOOP
        SELECT * INTO quota FROM tenant_quotas WHERE tenant_id = p_tenants[slot];
        IF quota.tenant_id IS NULL AND p_subjects[slot] <> p_tenants[slot] THEN
          token_limits[slot] := p_user_tokens;
        ELSIF quota.enforcing AND p_subjects[slot] <> p_tenants[slot] THEN
          request_limits[slot] := quota.user_requests;
          token_limits[slot] := quota.user_tokens;
        ELSIF quota.enforcing THEN
          request_limits[slot] := quota.requests;
          token_limits[slot] := quota.tokens;
        END IF;
      END LOOP;
    END IF;
    FOR intent IN
      SELECT * FROM json_to_recordset(p_intents)
        AS i (id text, "user" integer, tenant integer, token text, request text, area text, model text, backend text,
              prompt integer, reserve bigint, claim text, fingerprint text, at timestamptz)
    LOOP
      IF intent.claim IS NOT NULL THEN
        SELECT * INTO before FROM calls WHERE claim_id = intent.claim AND id <> intent.id;
        IF before.state <> 'open' AND before.created_at < now() - interval '24 hours' THEN
          UPDATE calls SET claim_id = NULL, claim_fingerprint = NULL, sealed_answer = NULL WHERE id = before.id;
        ELSIF before.id IS NOT NULL THEN
          call_id := intent.id;
          verdict := 'claimed';
          state := before.state;
          fingerprint := before.claim_fingerprint;
          answer := encode(before.sealed_answer, 'base64');
          RETURN NEXT;
          CONTINUE;
        END IF;
      END IF;
      refusal := NULL;
      IF intent.area IS NOT NULL THEN
        FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
          counter := counters[slot];
          IF counter.open_calls + counter.settled_calls + 1 > request_limits[slot] THEN
            refusal := 'requests';
          ELSIF counter.reserved_tokens + counter.settled_tokens + intent.reserve > token_limits[slot] THEN
            refusal := 'tokens';
          END IF;
        END LOOP;
      END IF;
      IF refusal IS NOT NULL THEN
        -- A flush that comes again finds what it has reserved itself.
        CONTINUE WHEN EXISTS (SELECT FROM calls WHERE id = intent.id);
        call_id := intent.id;
        verdict := refusal;
        state := NULL;
        fingerprint := NULL;
        answer := NULL;
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
        counter := counters[slot];
        counter.open_calls := counter.open_calls + 1;
        counter.reserved_tokens := counter.reserved_tokens + intent.reserve;
        counters[slot] := counter;
      END LOOP;
    END LOOP;

    FOR slot IN 1 .. cardinality(p_subjects) LOOP
      counter := counters[slot];
      UPDATE quota_counters
        SET open_calls = counter.open_calls, reserved_tokens = counter.reserved_tokens,
            settled_calls = counter.settled_calls, settled_tokens = counter.settled_tokens
        WHERE subject = counter.subject AND period = counter.period;
    END LOOP;
    IF corrections <> '[]' THEN PERFORM correct_usage_hours(corrections); END IF;
  END $$`;
