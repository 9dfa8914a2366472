import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which process does which job. The queue itself has tables of its own, in the schema `jobs`. */
export class Jobs1795315111125 implements MigrationInterface {
  readonly name = 'Jobs1795315111125';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_leases (
        job_id uuid NOT NULL,
        kind text NOT NULL,
        process_id text NOT NULL,
        retry_count integer NOT NULL,
        CONSTRAINT job_leases_pkey PRIMARY KEY (job_id)
      )`);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
