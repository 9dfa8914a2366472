import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registration, passwords by mail, identity providers, the deletion of people, and what they see of their sessions. */
export class People1795322976494 implements MigrationInterface {
  readonly name = 'People1795322976494';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...PROVIDERS, ...TENANTS, ...USERS, ...SECRETS]) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const PROVIDERS = [
  `CREATE TABLE identity_providers (
    id text NOT NULL,
    tenant_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    approved boolean NOT NULL,
    enabled boolean NOT NULL,
    tid text,
    settings jsonb NOT NULL,
    secrets_sealed bytea NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT identity_providers_pkey PRIMARY KEY (id),
    CONSTRAINT identity_providers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id)
  )`,
  'CREATE INDEX identity_providers_tenant_id ON identity_providers (tenant_id, id)',
  'CREATE UNIQUE INDEX identity_providers_tid ON identity_providers (tid) WHERE tid IS NOT NULL',
  `CREATE TABLE provider_domains (
    domain text NOT NULL,
    provider_id text NOT NULL,
    CONSTRAINT provider_domains_pkey PRIMARY KEY (domain),
    CONSTRAINT provider_domains_provider_id_fkey FOREIGN KEY (provider_id)
      REFERENCES identity_providers (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX provider_domains_provider_id ON provider_domains (provider_id)',
];

const TENANTS = [
  'ALTER TABLE tenants ADD COLUMN is_default boolean NOT NULL DEFAULT false',
  'ALTER TABLE tenants ADD COLUMN registration_open boolean',
  'ALTER TABLE tenants ADD COLUMN deleted_at timestamptz(3)',
  // The first user was made together with the default tenant.
  `UPDATE tenants SET is_default = true
     WHERE id = (SELECT tenant_id FROM users ORDER BY created_at, id LIMIT 1)`,
  'CREATE UNIQUE INDEX tenants_is_default ON tenants (is_default) WHERE is_default',
  `CREATE TABLE tenant_domains (
    domain text NOT NULL,
    tenant_id text NOT NULL,
    CONSTRAINT tenant_domains_pkey PRIMARY KEY (domain),
    CONSTRAINT tenant_domains_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX tenant_domains_tenant_id ON tenant_domains (tenant_id)',
];

const USERS = [
  'ALTER TABLE users ADD COLUMN identity_provider_id text',
  'ALTER TABLE users ADD COLUMN external_id text',
  'ALTER TABLE users ADD COLUMN is_bootstrap boolean NOT NULL DEFAULT false',
  'ALTER TABLE users ADD COLUMN suspended_by_sync boolean NOT NULL DEFAULT false',
  'ALTER TABLE users ADD COLUMN confirm_before timestamptz(3)',
  'ALTER TABLE users ADD COLUMN pseudonym text',
  `UPDATE users SET is_bootstrap = true
     WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1) AND 'sysadmin' = ANY (privileges)`,
  `ALTER TABLE users ADD CONSTRAINT users_identity_provider_id_fkey FOREIGN KEY (identity_provider_id)
     REFERENCES identity_providers (id)`,
  'ALTER TABLE users DROP CONSTRAINT users_email_key',
  'CREATE UNIQUE INDEX users_local_email ON users (email) WHERE identity_provider_id IS NULL',
  `CREATE UNIQUE INDEX users_provider_email ON users (identity_provider_id, email)
     WHERE identity_provider_id IS NOT NULL`,
  'CREATE UNIQUE INDEX users_external_id ON users (identity_provider_id, external_id)',
  'CREATE UNIQUE INDEX users_pseudonym ON users (pseudonym) WHERE pseudonym IS NOT NULL',
  'CREATE INDEX users_confirm_before ON users (confirm_before) WHERE confirm_before IS NOT NULL',
  "CREATE INDEX users_email_domain ON users (split_part(email, '@', 2))",
  // For the beginning of a text, whatever the collation.
  'CREATE INDEX users_email_beginning ON users (email text_pattern_ops)',
  'CREATE INDEX users_username_beginning ON users (lower(username) text_pattern_ops)',
  // Nearly all are active.
  "CREATE INDEX users_status ON users (status, id) WHERE status <> 'active'",
];

const SECRETS = [
  `CREATE TABLE confirmation_codes (
    user_id text NOT NULL,
    code_hash bytea NOT NULL,
    tries_left integer NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT confirmation_codes_pkey PRIMARY KEY (user_id),
    CONSTRAINT confirmation_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE password_tokens (
    hash text NOT NULL,
    user_id text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT password_tokens_pkey PRIMARY KEY (hash),
    CONSTRAINT password_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX password_tokens_user_id ON password_tokens (user_id)',
  // As rate-limiter-flexible has it: the time in Unix milliseconds.
  `CREATE TABLE attempt_counters (
    key text NOT NULL,
    points integer NOT NULL,
    expire bigint NOT NULL,
    CONSTRAINT attempt_counters_pkey PRIMARY KEY (key)
  )`,
  'CREATE INDEX attempt_counters_expire ON attempt_counters (expire)',
  'ALTER TABLE sessions ADD COLUMN ip text',
  'ALTER TABLE sessions ADD COLUMN user_agent text',
];
