import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  LEDGER_ADMIT_ONE_BY_ONE_WITH_AUDIO,
  LEDGER_CORRECT_WITH_AUDIO,
  LEDGER_FLUSH_WITH_AUDIO,
} from './1795468600000-ledger-audio.js';
import { CORRECT_USAGE_HOURS_WITH_AUDIO, ROLL_UP_USAGE_WITH_AUDIO } from './1795468600000-usage-audio.js';

/** The sound of calls, in milliseconds, beside their tokens: in the ledger, in quotas and in usage. */
export class AudioSeconds1795468600000 implements MigrationInterface {
  readonly name = 'AudioSeconds1795468600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE calls ADD COLUMN audio_ms integer NOT NULL DEFAULT 0,
     ADD COLUMN reserved_audio_ms bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE quota_counters ADD COLUMN reserved_audio_ms bigint NOT NULL DEFAULT 0,
     ADD COLUMN settled_audio_ms bigint NOT NULL DEFAULT 0`,
  'ALTER TABLE usage_hours ADD COLUMN audio_ms bigint NOT NULL DEFAULT 0',
  'ALTER TABLE tenant_quotas ADD COLUMN audio_seconds bigint, ADD COLUMN user_audio_seconds bigint',
  'DROP FUNCTION ledger_flush(text, integer, text[], date[], text[], bigint[], bigint[], json, json, bigint)',
  'DROP FUNCTION ledger_correct(json)',
  `DROP FUNCTION ledger_admit_one_by_one(text, text[], date[], bigint[], bigint[], bigint[], bigint[], json, text[])`,
  LEDGER_FLUSH_WITH_AUDIO,
  LEDGER_CORRECT_WITH_AUDIO,
  LEDGER_ADMIT_ONE_BY_ONE_WITH_AUDIO,
  ROLL_UP_USAGE_WITH_AUDIO,
  CORRECT_USAGE_HOURS_WITH_AUDIO,
];
