import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that are translated, and their texts until they are done. */
export class DocumentTranslations1795648816000 implements MigrationInterface {
  readonly name = 'DocumentTranslations1795648816000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE document_translations (
    id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    filename text NOT NULL,
    mime_type text NOT NULL,
    kind text NOT NULL,
    size_bytes bigint NOT NULL,
    blob_key text,
    result_key text,
    result_bytes bigint,
    result_sha256 text,
    source_language text,
    detected_language text,
    target_language text NOT NULL,
    model text,
    formality text NOT NULL,
    status text NOT NULL,
    error text,
    units integer,
    done_units integer NOT NULL,
    warnings text[] NOT NULL,
    created_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT document_translations_pkey PRIMARY KEY (id),
    CONSTRAINT document_translations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT document_translations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX document_translations_tenant_id ON document_translations (tenant_id, id)',
  'CREATE INDEX document_translations_owner_id ON document_translations (owner_id, id)',
  'CREATE INDEX document_translations_finished_at ON document_translations (finished_at)',
  `CREATE TABLE document_translation_batches (
    id text NOT NULL,
    document_id text NOT NULL,
    position integer NOT NULL,
    units integer NOT NULL,
    is_translated boolean NOT NULL,
    content_sealed bytea NOT NULL,
    CONSTRAINT document_translation_batches_pkey PRIMARY KEY (id),
    CONSTRAINT document_translation_batches_document_id_fkey FOREIGN KEY (document_id)
      REFERENCES document_translations (id) ON DELETE CASCADE
  )`,
  'CREATE UNIQUE INDEX document_translation_batches_position ON document_translation_batches (document_id, position)',
];
