import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the bytes of files lie, and whose storage they take. */
export class Blobs1795388036932 implements MigrationInterface {
  readonly name = 'Blobs1795388036932';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE blobs (
    key text NOT NULL,
    tenant_id text,
    user_id text,
    kind text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text,
    state text NOT NULL,
    process_id text NOT NULL,
    store text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    delete_after timestamptz(3),
    CONSTRAINT blobs_pkey PRIMARY KEY (key)
  )`,
  'CREATE INDEX blobs_tenant ON blobs (tenant_id) WHERE tenant_id IS NOT NULL',
  'CREATE INDEX blobs_user ON blobs (user_id) WHERE user_id IS NOT NULL',
  "CREATE INDEX blobs_writing ON blobs (process_id) WHERE state = 'writing'",
  "CREATE INDEX blobs_released ON blobs (store, delete_after) WHERE state = 'released'",
  `CREATE TABLE storage_usage (
    subject text NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT storage_usage_pkey PRIMARY KEY (subject),
    CONSTRAINT storage_usage_bytes CHECK (bytes >= 0)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE blob_sweeps (
    store text NOT NULL,
    process_id text NOT NULL,
    claimed_until timestamptz(3) NOT NULL,
    listed_at timestamptz(3),
    CONSTRAINT blob_sweeps_pkey PRIMARY KEY (store)
  )`,
  `CREATE TABLE blob_root (
    id boolean NOT NULL DEFAULT true,
    name text NOT NULL,
    CONSTRAINT blob_root_pkey PRIMARY KEY (id),
    CONSTRAINT blob_root_single CHECK (id)
  )`,
];
