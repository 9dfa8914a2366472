import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How credible sources are. */
export class Credibility1795432800000 implements MigrationInterface {
  readonly name = 'Credibility1795432800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE credibility_configs (
    id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    rules jsonb NOT NULL,
    default_score double precision NOT NULL,
    min_score double precision NOT NULL,
    is_default boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT credibility_configs_pkey PRIMARY KEY (id),
    CONSTRAINT credibility_configs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX credibility_configs_tenant_id ON credibility_configs (tenant_id, id)',
  // Whoever else writes: never two.
  'CREATE UNIQUE INDEX credibility_configs_default ON credibility_configs (tenant_id) WHERE is_default',
];
