import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backends that are added while the server runs, and which models a tenant may use. */
export class Inference1795298571233 implements MigrationInterface {
  readonly name = 'Inference1795298571233';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE backends (
    id text NOT NULL,
    tenant_id text,
    name text NOT NULL,
    settings jsonb NOT NULL,
    secrets_sealed bytea NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT backends_pkey PRIMARY KEY (id),
    CONSTRAINT backends_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  'CREATE UNIQUE INDEX backends_tenant_id_name ON backends (tenant_id, name)',
  'CREATE UNIQUE INDEX backends_global_name ON backends (name) WHERE tenant_id IS NULL',
  `CREATE TABLE model_policies (
    tenant_id text NOT NULL,
    allow text[] NOT NULL,
    deny text[] NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT model_policies_pkey PRIMARY KEY (tenant_id),
    CONSTRAINT model_policies_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX model_policies_updated_at ON model_policies (updated_at)',
];
