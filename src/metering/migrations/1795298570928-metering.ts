import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEDGER_ADMIT_ONE_BY_ONE, LEDGER_CORRECT, LEDGER_FLUSH } from './1795298570928-ledger-flush.js';
import { CORRECT_USAGE_HOURS, ROLL_UP_USAGE } from './1795298570928-usage-functions.js';

/** The ledger, the quotas that are counted beside it, and the usage of each hour that is counted from it. */
export class Metering1795298570928 implements MigrationInterface {
  readonly name = 'Metering1795298570928';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...LEDGER, ...USAGE, ...FUNCTIONS]) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const LEDGER = [
  `CREATE TABLE calls (
    id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    token_id text NOT NULL,
    request_id text NOT NULL,
    area text,
    model text NOT NULL,
    backend text NOT NULL,
    state text NOT NULL,
    outcome text,
    prompt_tokens integer NOT NULL,
    completion_tokens integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    process_id text NOT NULL,
    period date NOT NULL,
    reserved_tokens bigint NOT NULL,
    duration_ms integer NOT NULL,
    claim_id text,
    claim_fingerprint text,
    sealed_answer bytea,
    recovered boolean NOT NULL DEFAULT false,
    CONSTRAINT calls_pkey PRIMARY KEY (id)
  )`,
  'CREATE INDEX calls_user ON calls (user_id, id)',
  'CREATE INDEX calls_settled_at ON calls (settled_at) WHERE settled_at IS NOT NULL',
  "CREATE INDEX calls_open ON calls (process_id) WHERE state = 'open'",
  'CREATE INDEX calls_operations ON calls (settled_at) WHERE area IS NULL',
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
];

const USAGE = [
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

const FUNCTIONS = [ROLL_UP_USAGE, CORRECT_USAGE_HOURS, LEDGER_FLUSH, LEDGER_CORRECT, LEDGER_ADMIT_ONE_BY_ONE];
