import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { ErasedUser, Erasure } from '../../domain-module.js';

/** Calls that one transaction changes. */
const BATCH = 2_000;
/** Calls that were open when the account was deleted are cut off and settled within seconds. */
const WAIT_MS = 500;
const WAITS = 120;

/** The request id may be whatever the client has chosen; answers that were kept belong to their caller. */
const RENAME_CALLS = `
  WITH renamed AS (
    UPDATE calls SET user_id = $2, token_id = $2, request_id = id, claim_id = NULL, claim_fingerprint = NULL,
                     sealed_answer = NULL
    WHERE id IN (SELECT id FROM calls WHERE user_id = $1 AND state <> 'open' ORDER BY id LIMIT $3)
    RETURNING id
  ) SELECT count(*)::integer AS count FROM renamed`;
const OPEN_CALLS = 'SELECT FROM calls WHERE user_id = $1 LIMIT 1';

/** What is rolled up in the meantime may stand under the pseudonym already. */
const MERGE_HOURS = `
  INSERT INTO usage_hours AS u (hour, tenant_id, user_id, area, model, calls, prompt_tokens, completion_tokens, audio_ms)
  SELECT hour, tenant_id, $2, area, model, calls, prompt_tokens, completion_tokens, audio_ms FROM usage_hours
  WHERE tenant_id = $3 AND user_id = $1
  ON CONFLICT (tenant_id, user_id, hour, area, model) DO UPDATE
  SET calls = u.calls + excluded.calls, prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = u.completion_tokens + excluded.completion_tokens, audio_ms = u.audio_ms + excluded.audio_ms`;
const MERGE_COUNTERS = `
  INSERT INTO quota_counters AS c (subject, period, open_calls, reserved_tokens, settled_calls, settled_tokens,
                                   reserved_audio_ms, settled_audio_ms)
  SELECT $2, period, open_calls, reserved_tokens, settled_calls, settled_tokens, reserved_audio_ms, settled_audio_ms
  FROM quota_counters WHERE subject = $1
  ON CONFLICT (subject, period) DO UPDATE
  SET open_calls = c.open_calls + excluded.open_calls, reserved_tokens = c.reserved_tokens + excluded.reserved_tokens,
      settled_calls = c.settled_calls + excluded.settled_calls,
      settled_tokens = c.settled_tokens + excluded.settled_tokens,
      reserved_audio_ms = c.reserved_audio_ms + excluded.reserved_audio_ms,
      settled_audio_ms = c.settled_audio_ms + excluded.settled_audio_ms`;

/** Replaces a user in the ledger by a pseudonym: the calls stay, and nothing tells whose they were. */
export class LedgerErasure {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws Error where calls of the user are open for longer than a minute */
  readonly eraseUser = async ({ id, tenantId, pseudonym }: ErasedUser, erasure: Erasure): Promise<void> => {
    for (let waits = 0; ; waits += 1) {
      await this.renameCalls(id, pseudonym, erasure);
      if ((await this.dataSource.query<object[]>(OPEN_CALLS, [id])).length === 0) break;
      if (waits === WAITS) throw new Error('Calls of a deleted user are still open.');
      await delay(WAIT_MS, undefined, { signal: erasure.signal });
    }
    await erasure.transaction(async (tx) => {
      // The same lock as that of the roll-up, which adds to the hours.
      await tx.query('SELECT pg_advisory_xact_lock(7217002)');
      await tx.query(MERGE_HOURS, [id, pseudonym, tenantId]);
      await tx.query('DELETE FROM usage_hours WHERE tenant_id = $1 AND user_id = $2', [tenantId, id]);
      await tx.query(MERGE_COUNTERS, [id, pseudonym]);
      await tx.query('DELETE FROM quota_counters WHERE subject = $1', [id]);
    });
  };

  private async renameCalls(id: string, pseudonym: string, { signal, transaction }: Erasure): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const rows = await transaction((tx) => tx.query<{ count: number }[]>(RENAME_CALLS, [id, pseudonym, BATCH]));
      if ((rows[0]?.count ?? 0) < BATCH) return;
    }
  }
}
