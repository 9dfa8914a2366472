import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A call whose client has left, and which goes on for its Idempotency-Key: other processes wait for its answer. */
export class UnattendedCalls1795730400000 implements MigrationInterface {
  readonly name = 'UnattendedCalls1795730400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN is_unattended boolean NOT NULL DEFAULT false');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
