import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of documents, and the values that were read from these. */
export class Documents1795413600000 implements MigrationInterface {
  readonly name = 'Documents1795413600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE document_sessions (
    id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    name text NOT NULL,
    schema json NOT NULL,
    template text,
    model text,
    review_threshold double precision NOT NULL,
    is_private boolean NOT NULL,
    document_count integer NOT NULL,
    unfinished_count integer NOT NULL,
    failed_count integer NOT NULL,
    pending_count integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT document_sessions_pkey PRIMARY KEY (id),
    CONSTRAINT document_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT document_sessions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX document_sessions_tenant_id ON document_sessions (tenant_id, id)',
  'CREATE INDEX document_sessions_owner_id ON document_sessions (owner_id, id)',
  `CREATE TABLE documents (
    id text NOT NULL,
    session_id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    filename text NOT NULL,
    mime_type text NOT NULL,
    kind text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text NOT NULL,
    blob_key text NOT NULL,
    status text NOT NULL,
    error text,
    pages integer,
    pages_failed integer[] NOT NULL,
    model text,
    run integer NOT NULL,
    read_run integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT documents_pkey PRIMARY KEY (id),
    CONSTRAINT documents_session_id_fkey FOREIGN KEY (session_id) REFERENCES document_sessions (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX documents_session_id ON documents (session_id, id)',
  'CREATE INDEX documents_owner_id ON documents (owner_id)',
  `CREATE TABLE document_values (
    id text NOT NULL,
    session_id text NOT NULL,
    document_id text NOT NULL,
    path text NOT NULL,
    position integer NOT NULL,
    run integer NOT NULL,
    proposed_value jsonb,
    confidence double precision NOT NULL,
    quote text,
    page integer,
    bbox double precision[],
    origin text,
    extractor text,
    reason text,
    status text NOT NULL,
    value jsonb,
    version integer NOT NULL,
    comment text,
    resolved_by text,
    resolved_at timestamptz(3),
    claimed_by text,
    claimed_until timestamptz(3),
    CONSTRAINT document_values_pkey PRIMARY KEY (id),
    CONSTRAINT document_values_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
  )`,
  // A document read again finds what people have said by it; results are in its order.
  'CREATE UNIQUE INDEX document_values_path ON document_values (document_id, path)',
  'CREATE INDEX document_values_status ON document_values (session_id, status, id)',
  'CREATE INDEX document_values_resolved_by ON document_values (resolved_by) WHERE resolved_by IS NOT NULL',
  'CREATE INDEX document_values_claimed_by ON document_values (claimed_by) WHERE claimed_by IS NOT NULL',
];
