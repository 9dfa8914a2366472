import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of metered calls. */
export class Metering1763600000001 implements MigrationInterface {
  readonly name = 'Metering1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE calls (
        id text NOT NULL,
        tenant_id text NOT NULL,
        user_id text NOT NULL,
        token_id text NOT NULL,
        request_id text NOT NULL,
        area text NOT NULL,
        model text NOT NULL,
        backend text NOT NULL,
        state text NOT NULL,
        outcome text NOT NULL,
        prompt_tokens integer NOT NULL,
        completion_tokens integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        settled_at timestamptz(3) NOT NULL,
        CONSTRAINT calls_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX calls_user_settled ON calls (user_id, settled_at)');
    await runner.query('CREATE INDEX calls_tenant_settled ON calls (tenant_id, settled_at)');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
