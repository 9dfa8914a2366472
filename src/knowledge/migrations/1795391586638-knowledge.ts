import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Knowledge bases, their files, and the passages that queries find. */
export class Knowledge1795391586638 implements MigrationInterface {
  readonly name = 'Knowledge1795391586638';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE knowledge_bases (
    id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    is_private boolean NOT NULL,
    embedding_model text NOT NULL,
    file_count integer NOT NULL,
    size_bytes bigint NOT NULL,
    reindex_progress real,
    reindex_error text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT knowledge_bases_pkey PRIMARY KEY (id),
    CONSTRAINT knowledge_bases_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT knowledge_bases_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX knowledge_bases_tenant_id ON knowledge_bases (tenant_id, id)',
  'CREATE INDEX knowledge_bases_owner_id ON knowledge_bases (owner_id, id)',
  `CREATE TABLE knowledge_files (
    id text NOT NULL,
    base_id text NOT NULL,
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
    pages_failed integer[] NOT NULL,
    chunk_count integer NOT NULL,
    progress real NOT NULL,
    language text,
    metadata jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT knowledge_files_pkey PRIMARY KEY (id),
    CONSTRAINT knowledge_files_base_id_fkey FOREIGN KEY (base_id) REFERENCES knowledge_bases (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX knowledge_files_base_id ON knowledge_files (base_id, id)',
  'CREATE INDEX knowledge_files_owner_id ON knowledge_files (owner_id)',
  'CREATE INDEX knowledge_files_tenant_id ON knowledge_files (tenant_id)',
  'CREATE UNIQUE INDEX knowledge_files_sha256 ON knowledge_files (base_id, sha256) WHERE deleted_at IS NULL',
  `CREATE TABLE knowledge_indexes (
    id text NOT NULL,
    base_id text NOT NULL,
    model text NOT NULL,
    dimensions integer,
    is_approximate boolean NOT NULL,
    state text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT knowledge_indexes_pkey PRIMARY KEY (id),
    CONSTRAINT knowledge_indexes_base_id_fkey FOREIGN KEY (base_id) REFERENCES knowledge_bases (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX knowledge_indexes_base_id ON knowledge_indexes (base_id)',
  "CREATE UNIQUE INDEX knowledge_indexes_state ON knowledge_indexes (base_id, state) WHERE state <> 'retired'",
  `CREATE TABLE knowledge_reindexed_files (
    index_id text NOT NULL,
    file_id text NOT NULL,
    CONSTRAINT knowledge_reindexed_files_pkey PRIMARY KEY (index_id, file_id),
    CONSTRAINT knowledge_reindexed_files_index_id_fkey FOREIGN KEY (index_id) REFERENCES knowledge_indexes (id) ON DELETE CASCADE,
    CONSTRAINT knowledge_reindexed_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES knowledge_files (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX knowledge_reindexed_files_file_id ON knowledge_reindexed_files (file_id)',
  `CREATE TABLE knowledge_chunks (
    id text NOT NULL,
    index_id text NOT NULL,
    file_id text NOT NULL,
    position integer NOT NULL,
    page integer,
    start_at integer NOT NULL,
    end_at integer NOT NULL,
    headings text[] NOT NULL,
    text text NOT NULL,
    hash text NOT NULL,
    words tsvector NOT NULL,
    CONSTRAINT knowledge_chunks_pkey PRIMARY KEY (id),
    CONSTRAINT knowledge_chunks_index_id_fkey FOREIGN KEY (index_id) REFERENCES knowledge_indexes (id) ON DELETE CASCADE,
    CONSTRAINT knowledge_chunks_file_id_fkey FOREIGN KEY (file_id) REFERENCES knowledge_files (id) ON DELETE CASCADE
  )`,
  // Ranking looks at many rows, and at the texts and words of few: these lie beside the table, and the rows close together.
  // Words are not compressed, since that takes longer than writing them.
  `ALTER TABLE knowledge_chunks SET (toast_tuple_target = 256), ALTER id SET STORAGE PLAIN, ALTER index_id SET STORAGE PLAIN,
    ALTER file_id SET STORAGE PLAIN, ALTER hash SET STORAGE PLAIN, ALTER words SET STORAGE EXTERNAL`,
  // The end of a file comes as often as its beginning: what was written before a crash is found by it.
  'CREATE UNIQUE INDEX knowledge_chunks_position ON knowledge_chunks (file_id, index_id, position)',
  'CREATE INDEX knowledge_chunks_index_id ON knowledge_chunks (index_id)',
  // What is not sorted into it yet is read by each query: little of it is left so.
  'CREATE INDEX knowledge_chunks_words ON knowledge_chunks USING gin (words) WITH (gin_pending_list_limit = 64)',
];
