import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants and users, their sessions and tokens, and what signs and revokes these. */
export class Identity1795298570623 implements MigrationInterface {
  readonly name = 'Identity1795298570623';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...USERS, ...SESSIONS, ...TOKENS]) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const USERS = [
  `CREATE TABLE tenants (
    id text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    allowed_plans text[] NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT tenants_pkey PRIMARY KEY (id)
  )`,
  `CREATE TABLE users (
    id text NOT NULL,
    tenant_id text NOT NULL,
    email text NOT NULL,
    username text NOT NULL,
    password_hash text,
    confirmed boolean NOT NULL,
    status text NOT NULL,
    privileges text[] NOT NULL,
    group_memberships text[] NOT NULL,
    user_version integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id)
  )`,
  'CREATE INDEX users_tenant_id ON users (tenant_id, id)',
];

const SESSIONS = [
  `CREATE TABLE sessions (
    id text NOT NULL,
    user_id text NOT NULL,
    tenant_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    CONSTRAINT sessions_pkey PRIMARY KEY (id),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX sessions_user_id ON sessions (user_id)',
  `CREATE TABLE refresh_tokens (
    hash text NOT NULL,
    session_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash),
    CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX refresh_tokens_session_id ON refresh_tokens (session_id)',
];

const TOKENS = [
  `CREATE TABLE api_tokens (
    id text NOT NULL,
    user_id text NOT NULL,
    tenant_id text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    secret_hash text NOT NULL,
    previous_hash text,
    previous_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    rotated_at timestamptz(3),
    revoked_at timestamptz(3),
    CONSTRAINT api_tokens_pkey PRIMARY KEY (id),
    CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX api_tokens_user_id ON api_tokens (user_id, id)',
  `CREATE TABLE signing_keys (
    kid text NOT NULL,
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_sealed bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    activates_at timestamptz(3) NOT NULL,
    retires_at timestamptz(3),
    CONSTRAINT signing_keys_pkey PRIMARY KEY (kid)
  )`,
  `CREATE TABLE revocations (
    kind text NOT NULL,
    subject text NOT NULL,
    min_version integer,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    effective_at timestamptz(3),
    CONSTRAINT revocations_pkey PRIMARY KEY (kind, subject)
  )`,
  'CREATE INDEX revocations_created_at ON revocations (created_at)',
];
