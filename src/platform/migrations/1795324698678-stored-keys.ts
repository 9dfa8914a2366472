import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that stay the same when the secret key changes. */
export class StoredKeys1795324698678 implements MigrationInterface {
  readonly name = 'StoredKeys1795324698678';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stored_keys (
        name text NOT NULL,
        key_sealed bytea NOT NULL,
        CONSTRAINT stored_keys_pkey PRIMARY KEY (name)
      )`);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
