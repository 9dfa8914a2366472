/**
 * As the function of the same name that it takes the place of (1795298570928), with the sound of calls: `p_audio` are the
 * milliseconds by which the intents move what each slot has reserved, and an intent may be refused for `audio`.
 */
export const LEDGER_FLUSH_WITH_AUDIO = `
  CREATE FUNCTION ledger_flush(
    p_process text, p_lease_seconds integer, p_subjects text[], p_periods date[], p_tenants text[],
    p_calls bigint[], p_tokens bigint[], p_audio bigint[], p_intents json, p_settlements json, p_user_tokens bigint
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
    reserved_audio bigint[] := p_audio;
    settled bigint[] := array_fill(0, ARRAY[slots]);
    used bigint[] := settled;
    used_audio bigint[] := settled;
    written integer := 0;
    entry record;
    -- What each slot has, open and settled together, and what it may have.
    counted_calls bigint[];
    counted_tokens bigint[];
    counted_audio bigint[];
    call_limits bigint[];
    token_limits bigint[];
    audio_limits bigint[];
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
              reserved_tokens = 0, audio_ms = t.audio, reserved_audio_ms = 0, recovered = t.recovered, settled_at = clock_timestamp(),
              claim_id = CASE WHEN t.keep THEN c.claim_id END,
              claim_fingerprint = CASE WHEN t.keep THEN c.claim_fingerprint END,
              sealed_answer = decode(t.answer, 'base64')
          FROM json_to_recordset(p_settlements)
            AS t (id text, "user" integer, tenant integer, state text, outcome text, backend text, prompt integer,
                  completion integer, audio integer, ms integer, keep boolean, answer text, recovered boolean)
          WHERE c.id = ANY (ARRAY[t.id]) AND c.settled_at IS NULL
          -- A statement does not see what it changes itself: this is what the call has held.
          RETURNING t."user", t.tenant, c.area, t.prompt + t.completion AS tokens, t.audio,
                    (SELECT b.reserved_tokens FROM calls b WHERE b.id = c.id) AS held,
                    (SELECT b.reserved_audio_ms FROM calls b WHERE b.id = c.id) AS held_audio
      LOOP
        written := written + 1;
        CONTINUE WHEN entry.area IS NULL;
        FOREACH slot IN ARRAY ARRAY[entry."user", entry.tenant] LOOP
          opened[slot] := opened[slot] - 1;
          reserved[slot] := reserved[slot] - entry.held;
          reserved_audio[slot] := reserved_audio[slot] - entry.held_audio;
          settled[slot] := settled[slot] + 1;
          used[slot] := used[slot] + entry.tokens;
          used_audio[slot] := used_audio[slot] + entry.audio;
        END LOOP;
      END LOOP;
      IF written < json_array_length(p_settlements) THEN
        FOR entry IN SELECT * FROM ledger_correct(p_settlements) LOOP
          used[entry.slot] := used[entry.slot] + entry.tokens;
          used_audio[entry.slot] := used_audio[entry.slot] + entry.audio;
        END LOOP;
      END IF;
    END IF;

    WITH counted AS (
      INSERT INTO quota_counters AS c (subject, period, open_calls, reserved_tokens, settled_calls, settled_tokens,
                                       reserved_audio_ms, settled_audio_ms)
        SELECT p_subjects[slot], p_periods[slot], opened[slot], reserved[slot], settled[slot], used[slot],
               reserved_audio[slot], used_audio[slot]
        FROM generate_series(1, slots) AS slot
        ON CONFLICT (subject, period) DO UPDATE
        SET open_calls = c.open_calls + excluded.open_calls,
            reserved_tokens = c.reserved_tokens + excluded.reserved_tokens,
            settled_calls = c.settled_calls + excluded.settled_calls,
            settled_tokens = c.settled_tokens + excluded.settled_tokens,
            reserved_audio_ms = c.reserved_audio_ms + excluded.reserved_audio_ms,
            settled_audio_ms = c.settled_audio_ms + excluded.settled_audio_ms
        RETURNING c.open_calls + c.settled_calls AS calls, c.reserved_tokens + c.settled_tokens AS tokens,
                  c.reserved_audio_ms + c.settled_audio_ms AS audio
    )
    SELECT array_agg(calls), array_agg(tokens), array_agg(audio) INTO counted_calls, counted_tokens, counted_audio
    FROM counted;
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
        audio_limits[slot] := quota.user_audio_seconds * 1000;
      ELSIF quota.enforcing THEN
        call_limits[slot] := quota.requests;
        token_limits[slot] := quota.tokens;
        audio_limits[slot] := quota.audio_seconds * 1000;
      END IF;
      is_limited := is_limited OR token_limits[slot] IS NOT NULL;
      IF counted_calls[slot] > call_limits[slot] OR counted_tokens[slot] > token_limits[slot]
         OR (p_audio[slot] > 0 AND counted_audio[slot] > audio_limits[slot]) THEN
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
                           prompt_tokens, completion_tokens, reserved_tokens, audio_ms, reserved_audio_ms, duration_ms,
                           period, created_at)
          SELECT i.id, p_subjects[i.tenant], p_subjects[i."user"], i.token, i.request, p_process, i.area, i.model,
                 i.backend, 'open', i.prompt, 0, i.reserve, i.audio, i.reserve_audio, 0, p_periods[i."user"], i.at
          FROM json_to_recordset(p_intents)
            AS i (id text, "user" integer, tenant integer, token text, request text, area text, model text,
                  backend text, prompt integer, reserve bigint, audio integer, reserve_audio bigint, claim text,
                  at timestamptz)
          WHERE i.claim IS NULL
          ON CONFLICT (id) DO NOTHING
          RETURNING id
      LOOP
        admitted := admitted || entry.id;
      END LOOP;
    END IF;
    IF cardinality(admitted) < json_array_length(p_intents) THEN
      RETURN QUERY SELECT * FROM ledger_admit_one_by_one(
        p_process, p_subjects, p_periods, counted_calls, counted_tokens, counted_audio, call_limits, token_limits,
        audio_limits, p_intents, admitted);
    END IF;
  END $$`;

/** As the function of the same name that it takes the place of, with the sound of calls. */
export const LEDGER_CORRECT_WITH_AUDIO = `
  CREATE FUNCTION ledger_correct(p_settlements json) RETURNS TABLE (slot integer, tokens bigint, audio bigint)
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
              completion integer, audio integer, ms integer, keep boolean, answer text, recovered boolean)
    LOOP
      SELECT * INTO before FROM calls WHERE id = settlement.id FOR UPDATE;
      CONTINUE WHEN before.state IS DISTINCT FROM 'estimated' OR settlement.recovered
        OR (settlement.state = 'estimated' AND NOT before.recovered);
      UPDATE calls
        SET state = settlement.state, outcome = settlement.outcome, backend = coalesce(settlement.backend, before.backend),
            prompt_tokens = settlement.prompt, completion_tokens = settlement.completion, audio_ms = settlement.audio,
            duration_ms = settlement.ms, recovered = false,
            claim_id = CASE WHEN settlement.keep THEN before.claim_id END,
            claim_fingerprint = CASE WHEN settlement.keep THEN before.claim_fingerprint END,
            sealed_answer = decode(settlement.answer, 'base64')
        WHERE id = settlement.id;
      CONTINUE WHEN before.area IS NULL;
      corrections := corrections
        || jsonb_build_array(to_jsonb(before) || jsonb_build_object('settlement', to_jsonb(settlement)));
      tokens := (settlement.prompt - before.prompt_tokens) + (settlement.completion - before.completion_tokens);
      audio := settlement.audio - before.audio_ms;
      FOREACH slot IN ARRAY ARRAY[settlement."user", settlement.tenant] LOOP
        RETURN NEXT;
      END LOOP;
    END LOOP;
    IF corrections <> '[]' THEN PERFORM correct_usage_hours(corrections); END IF;
  END $$`;

/** As the function of the same name that it takes the place of, with the sound of calls. */
export const LEDGER_ADMIT_ONE_BY_ONE_WITH_AUDIO = `
  CREATE FUNCTION ledger_admit_one_by_one(
    p_process text, p_subjects text[], p_periods date[], counted_calls bigint[], counted_tokens bigint[],
    counted_audio bigint[], call_limits bigint[], token_limits bigint[], audio_limits bigint[], p_intents json,
    p_admitted text[]
  ) RETURNS TABLE (call_id text, verdict text, state text, fingerprint text, answer text)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    slot integer;
    opened bigint[] := array_fill(0, ARRAY[cardinality(p_subjects)]);
    reserved bigint[] := opened;
    reserved_audio bigint[] := opened;
    intent record;
    before calls;
  BEGIN
    FOR intent IN
      SELECT slot, count(*) AS calls, sum(i.reserve) AS tokens, sum(i.reserve_audio) AS audio
      FROM json_to_recordset(p_intents)
        AS i (id text, "user" integer, tenant integer, area text, reserve bigint, reserve_audio bigint)
      CROSS JOIN LATERAL (VALUES (i."user"), (i.tenant)) AS of (slot)
      WHERE i.area IS NOT NULL AND i.id <> ALL (p_admitted)
      GROUP BY slot
    LOOP
      opened[intent.slot] := - intent.calls;
      reserved[intent.slot] := - intent.tokens;
      reserved_audio[intent.slot] := - intent.audio;
    END LOOP;
    FOR intent IN
      SELECT * FROM json_to_recordset(p_intents)
        AS i (id text, "user" integer, tenant integer, token text, request text, area text, model text, backend text,
              prompt integer, reserve bigint, audio integer, reserve_audio bigint, claim text, fingerprint text,
              at timestamptz)
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
          ELSIF intent.reserve_audio > 0
            AND counted_audio[slot] + reserved_audio[slot] + intent.reserve_audio > audio_limits[slot] THEN
            verdict := 'audio';
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
                         prompt_tokens, completion_tokens, reserved_tokens, audio_ms, reserved_audio_ms, duration_ms,
                         period, claim_id, claim_fingerprint, created_at)
        VALUES (intent.id, p_subjects[intent.tenant], p_subjects[intent."user"], intent.token, intent.request, p_process,
                intent.area, intent.model, intent.backend, 'open', intent.prompt, 0, intent.reserve, intent.audio,
                intent.reserve_audio, 0, p_periods[intent."user"], intent.claim, intent.fingerprint, intent.at)
        ON CONFLICT (id) DO NOTHING;
      CONTINUE WHEN NOT FOUND OR intent.area IS NULL;
      FOREACH slot IN ARRAY ARRAY[intent."user", intent.tenant] LOOP
        opened[slot] := opened[slot] + 1;
        reserved[slot] := reserved[slot] + intent.reserve;
        reserved_audio[slot] := reserved_audio[slot] + intent.reserve_audio;
      END LOOP;
    END LOOP;
    FOR slot IN 1 .. cardinality(p_subjects) LOOP
      CONTINUE WHEN opened[slot] = 0 AND reserved[slot] = 0 AND reserved_audio[slot] = 0;
      UPDATE quota_counters
        SET open_calls = open_calls + opened[slot], reserved_tokens = reserved_tokens + reserved[slot],
            reserved_audio_ms = reserved_audio_ms + reserved_audio[slot]
        WHERE subject = p_subjects[slot] AND period = p_periods[slot];
    END LOOP;
  END $$`;
