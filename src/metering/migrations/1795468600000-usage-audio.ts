/**
 * Adds the next settled calls to the hours, about p_rows of them, and moves the watermark behind them. Nothing is added
 * that was settled less than 20 s ago: a flush may still be under way, and ends after 15 s at the latest.
 */
export const ROLL_UP_USAGE_WITH_AUDIO = `
  CREATE OR REPLACE FUNCTION roll_up_usage(p_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    since timestamptz;
    slice_end timestamptz;
    added integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(7217002);
    SELECT rolled_up_to INTO since FROM usage_watermark;
    -- Calls that were settled at the same moment stay together.
    SELECT max(settled_at) + interval '1 millisecond' INTO slice_end FROM (
      SELECT settled_at FROM calls
      WHERE settled_at >= since AND settled_at < clock_timestamp() - interval '20 seconds'
      ORDER BY settled_at LIMIT p_rows
    ) slice;
    IF slice_end IS NULL THEN RETURN 0; END IF;
    WITH counted AS (
      SELECT date_trunc('hour', settled_at, 'UTC') AS hour, tenant_id, user_id, area, model, count(*) AS calls,
             sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
             sum(audio_ms) AS audio_ms
      FROM calls
      WHERE settled_at >= since AND settled_at < slice_end AND area IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5
    )
    INSERT INTO usage_hours AS u (hour, tenant_id, user_id, area, model, calls, prompt_tokens, completion_tokens,
                                  audio_ms)
      SELECT * FROM counted
      ON CONFLICT (tenant_id, user_id, hour, area, model) DO UPDATE
      SET calls = u.calls + EXCLUDED.calls, prompt_tokens = u.prompt_tokens + EXCLUDED.prompt_tokens,
          completion_tokens = u.completion_tokens + EXCLUDED.completion_tokens,
          audio_ms = u.audio_ms + EXCLUDED.audio_ms;
    SELECT count(*) INTO added FROM calls WHERE settled_at >= since AND settled_at < slice_end;
    UPDATE usage_watermark SET rolled_up_to = slice_end;
    RETURN added;
  END $$`;

/**
 * Moves the hours of usage by what calls were corrected, where they were counted already. Whoever adds calls to the
 * hours holds the same lock: the watermark tells whether they saw the old numbers.
 */
export const CORRECT_USAGE_HOURS_WITH_AUDIO = `
  CREATE OR REPLACE FUNCTION correct_usage_hours(p_corrections jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7217002);
    UPDATE usage_hours u
      SET prompt_tokens = u.prompt_tokens + c.prompt, completion_tokens = u.completion_tokens + c.completion,
          audio_ms = u.audio_ms + c.audio
      FROM (
        SELECT date_trunc('hour', settled_at, 'UTC') AS hour, tenant_id, user_id, area, model,
               sum((settlement ->> 'prompt')::bigint - prompt_tokens) AS prompt,
               sum((settlement ->> 'completion')::bigint - completion_tokens) AS completion,
               sum((settlement ->> 'audio')::bigint - audio_ms) AS audio
        FROM jsonb_to_recordset(p_corrections)
          AS c (settled_at timestamptz, tenant_id text, user_id text, area text, model text, prompt_tokens integer,
                completion_tokens integer, audio_ms integer, settlement jsonb)
        WHERE settled_at < (SELECT rolled_up_to FROM usage_watermark)
        GROUP BY 1, 2, 3, 4, 5
      ) c
      WHERE u.hour = c.hour AND u.tenant_id = c.tenant_id AND u.user_id = c.user_id
        AND u.area = c.area AND u.model = c.model;
  END $$`;
