import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Directory syncs, and whom those under way have dealt with. */
export class DirectorySyncs1795324909404 implements MigrationInterface {
  readonly name = 'DirectorySyncs1795324909404';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE directory_syncs (
    id text NOT NULL,
    provider_id text NOT NULL,
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    job_id text NOT NULL,
    provider_revision integer NOT NULL,
    status text NOT NULL,
    "full" boolean NOT NULL,
    dry_run boolean NOT NULL,
    force boolean NOT NULL,
    counts jsonb NOT NULL,
    errors jsonb NOT NULL,
    changes jsonb NOT NULL,
    high_water text,
    groups_digest text,
    created_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    CONSTRAINT directory_syncs_pkey PRIMARY KEY (id),
    CONSTRAINT directory_syncs_provider_id_fkey FOREIGN KEY (provider_id)
      REFERENCES identity_providers (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX directory_syncs_provider_id ON directory_syncs (provider_id, id)',
  `CREATE UNIQUE INDEX directory_syncs_unfinished ON directory_syncs (provider_id)
     WHERE status IN ('queued', 'running')`,
  `CREATE TABLE directory_sync_people (
    sync_id text NOT NULL,
    external_id text NOT NULL,
    CONSTRAINT directory_sync_people_pkey PRIMARY KEY (sync_id, external_id),
    CONSTRAINT directory_sync_people_sync_id_fkey FOREIGN KEY (sync_id)
      REFERENCES directory_syncs (id) ON DELETE CASCADE
  )`,
];
