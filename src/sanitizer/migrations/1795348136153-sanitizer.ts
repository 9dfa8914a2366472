import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies of what is kept from models. */
export class Sanitizer1795348136153 implements MigrationInterface {
  readonly name = 'Sanitizer1795348136153';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE sanitizer_policies (
    id text NOT NULL,
    tenant_id text,
    name text NOT NULL,
    rules jsonb NOT NULL,
    unreadable text NOT NULL,
    enabled boolean NOT NULL,
    priority integer NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT sanitizer_policies_pkey PRIMARY KEY (id),
    CONSTRAINT sanitizer_policies_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX sanitizer_policies_tenant_id ON sanitizer_policies (tenant_id, id)',
];
