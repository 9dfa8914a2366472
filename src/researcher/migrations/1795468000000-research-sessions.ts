import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Research sessions, and what they have found and done. */
export class ResearchSessions1795468000000 implements MigrationInterface {
  readonly name = 'ResearchSessions1795468000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE research_sessions (
    id text NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL,
    token_id text NOT NULL,
    api_token_id text,
    question text NOT NULL,
    depth integer NOT NULL,
    max_sources integer NOT NULL,
    model text NOT NULL,
    credibility_config_id text,
    knowledgebase_ids text[] NOT NULL,
    max_tokens bigint,
    max_seconds integer NOT NULL,
    strict boolean NOT NULL,
    replay_of text,
    status text NOT NULL,
    progress real NOT NULL,
    reason text,
    error text,
    report json,
    run integer NOT NULL,
    last_event_id integer NOT NULL,
    used_tokens bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT research_sessions_pkey PRIMARY KEY (id),
    CONSTRAINT research_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT research_sessions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX research_sessions_owner_id ON research_sessions (owner_id, id)',
  'CREATE INDEX research_sessions_tenant_id ON research_sessions (tenant_id, id)',
  `CREATE TABLE research_sources (
    session_id text NOT NULL,
    id text NOT NULL,
    "position" integer NOT NULL,
    url text NOT NULL,
    final_url text,
    title text,
    published_at timestamptz(3),
    fetched_at timestamptz(3),
    sha256 text,
    language text,
    credibility double precision,
    status text NOT NULL,
    reason text,
    mirrors text[] NOT NULL,
    knowledgebase_id text,
    file_id text,
    blob_key text,
    CONSTRAINT research_sources_pkey PRIMARY KEY (session_id, id),
    CONSTRAINT research_sources_session_id_fkey FOREIGN KEY (session_id)
      REFERENCES research_sessions (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE research_steps (
    session_id text NOT NULL,
    kind text NOT NULL,
    hash text NOT NULL,
    "position" integer NOT NULL,
    title text NOT NULL,
    result json NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT research_steps_pkey PRIMARY KEY (session_id, kind, hash),
    CONSTRAINT research_steps_session_id_fkey FOREIGN KEY (session_id)
      REFERENCES research_sessions (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE research_events (
    session_id text NOT NULL,
    id integer NOT NULL,
    type text NOT NULL,
    data json NOT NULL,
    CONSTRAINT research_events_pkey PRIMARY KEY (session_id, id),
    CONSTRAINT research_events_session_id_fkey FOREIGN KEY (session_id)
      REFERENCES research_sessions (id) ON DELETE CASCADE
  )`,
];
