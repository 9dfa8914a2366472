import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Personal access tokens, and revocations that take effect later: a rotated secret works until its grace ends. */
export class ApiTokens1763600000002 implements MigrationInterface {
  readonly name = 'ApiTokens1763600000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE api_tokens (
    id text NOT NULL,
    user_id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    secret_hash text NOT NULL,
    previous_hash text,
    previous_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    rotated_at timestamptz(3),
    revoked_at timestamptz(3),
    CONSTRAINT api_tokens_pkey PRIMARY KEY (id),
    CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX api_tokens_user_id ON api_tokens (user_id, id)',
  'ALTER TABLE revocations ADD COLUMN effective_at timestamptz(3)',
];
