import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recordings, and the pieces of their audio. */
export class Recordings1795471200000 implements MigrationInterface {
  readonly name = 'Recordings1795471200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE recordings (
    id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    title text NOT NULL,
    filename text NOT NULL,
    language text NOT NULL,
    diarization_enabled boolean NOT NULL,
    method text NOT NULL,
    quality text NOT NULL,
    status text NOT NULL,
    error text,
    uploaded_bytes bigint NOT NULL,
    total_bytes bigint,
    writer text,
    media_type text,
    sha256 text,
    duration_seconds double precision,
    model text,
    speakers json NOT NULL,
    run integer NOT NULL,
    progress real NOT NULL,
    created_at timestamptz(3) NOT NULL,
    transcribed_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT recordings_pkey PRIMARY KEY (id),
    CONSTRAINT recordings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT recordings_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX recordings_owner_id ON recordings (owner_id, id)',
  'CREATE INDEX recordings_tenant_id ON recordings (tenant_id, id)',
  `CREATE TABLE recording_pieces (
    recording_id text NOT NULL,
    start_byte bigint NOT NULL,
    size_bytes bigint NOT NULL,
    blob_key text NOT NULL,
    CONSTRAINT recording_pieces_pkey PRIMARY KEY (recording_id, start_byte),
    CONSTRAINT recording_pieces_recording_id_fkey FOREIGN KEY (recording_id)
      REFERENCES recordings (id) ON DELETE CASCADE
  )`,
];
