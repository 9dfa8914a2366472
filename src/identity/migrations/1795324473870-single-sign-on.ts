import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Single sign-on: proofs that were used, and the sign-ins of browsers that are under way. */
export class SingleSignOn1795324473870 implements MigrationInterface {
  readonly name = 'SingleSignOn1795324473870';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const TABLES = [
  `CREATE TABLE used_sso_proofs (
    hash text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT used_sso_proofs_pkey PRIMARY KEY (hash)
  )`,
  'CREATE INDEX used_sso_proofs_expires_at ON used_sso_proofs (expires_at)',
  `CREATE TABLE sso_flows (
    state_hash text NOT NULL,
    provider_id text NOT NULL,
    browser_hash text NOT NULL,
    nonce text NOT NULL,
    verifier_sealed bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT sso_flows_pkey PRIMARY KEY (state_hash),
    CONSTRAINT sso_flows_provider_id_fkey FOREIGN KEY (provider_id)
      REFERENCES identity_providers (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX sso_flows_provider_id ON sso_flows (provider_id)',
  'CREATE INDEX sso_flows_expires_at ON sso_flows (expires_at)',
  `CREATE TABLE sso_codes (
    code_hash text NOT NULL,
    user_id text NOT NULL,
    user_version integer NOT NULL,
    browser_hash text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT sso_codes_pkey PRIMARY KEY (code_hash),
    CONSTRAINT sso_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX sso_codes_user_id ON sso_codes (user_id)',
  'CREATE INDEX sso_codes_expires_at ON sso_codes (expires_at)',
];
