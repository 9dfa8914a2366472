import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audio that only the model has decoded may be of unknown length. */
export class UnknownDuration1795489200000 implements MigrationInterface {
  readonly name = 'UnknownDuration1795489200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transcripts ALTER COLUMN duration_seconds DROP NOT NULL');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
