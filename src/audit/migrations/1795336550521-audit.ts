import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log: its chains, their entries, and what is signed of them. */
export class Audit1795336550521 implements MigrationInterface {
  readonly name = 'Audit1795336550521';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        chain text NOT NULL,
        sequence bigint NOT NULL,
        id text NOT NULL,
        action text NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        target_type text,
        target_id text,
        outcome text NOT NULL,
        reason text,
        ip text,
        user_agent text,
        request_id text,
        server_request_id text,
        salts bytea NOT NULL,
        erased jsonb,
        previous_hash bytea,
        hash bytea NOT NULL,
        mac bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_entries_sequence CHECK (sequence BETWEEN 1 AND 9007199254740991),
        CONSTRAINT audit_entries_salts CHECK (octet_length(salts) = 80),
        CONSTRAINT audit_entries_outcome CHECK (outcome IN ('success', 'failure', 'denied')),
        CONSTRAINT audit_entries_created_at CHECK (created_at BETWEEN '2000-01-01Z' AND '9999-01-01Z'),
        CONSTRAINT audit_entries_pkey PRIMARY KEY (chain, sequence)
      )`);
    await runner.query('CREATE UNIQUE INDEX audit_entries_id ON audit_entries (id)');
    await runner.query('CREATE INDEX audit_entries_chain_id ON audit_entries (chain, id)');
    await runner.query('CREATE INDEX audit_entries_actor_id ON audit_entries (actor_id, id)');
    await runner.query('CREATE INDEX audit_entries_target_id ON audit_entries (target_id, id)');
    await createChains(runner);
    await createCheckpoints(runner);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** The ends of the chains. */
async function createChains(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE audit_chains (
        chain text NOT NULL,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        signed_sequence bigint NOT NULL,
        unsigned_since timestamptz(3),
        broken_sequence bigint,
        mac bytea NOT NULL,
        CONSTRAINT audit_chains_pkey PRIMARY KEY (chain)
      )`);
  await runner.query(`
      CREATE TABLE audit_digests (
        name text NOT NULL,
        sum bytea NOT NULL,
        mac bytea NOT NULL,
        CONSTRAINT audit_digests_pkey PRIMARY KEY (name)
      )`);
}

/** What is signed of the chains. */
async function createCheckpoints(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE audit_keys (
        kid text NOT NULL,
        public_jwk jsonb NOT NULL,
        mac bytea NOT NULL,
        CONSTRAINT audit_keys_pkey PRIMARY KEY (kid)
      )`);
  await runner.query(`
      CREATE TABLE audit_checkpoints (
        chain text NOT NULL,
        sequence bigint NOT NULL,
        purpose text NOT NULL,
        kid text NOT NULL,
        token text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (chain, sequence, purpose),
        CONSTRAINT audit_checkpoints_kid_fkey FOREIGN KEY (kid) REFERENCES audit_keys (kid)
      )`);
}
