import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When recordings last changed; of those that are there, the last change that is known. */
export class RecordingUpdates1795924800000 implements MigrationInterface {
  readonly name = 'RecordingUpdates1795924800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recordings ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now()');
    await runner.query('UPDATE recordings SET updated_at = greatest(created_at, transcribed_at, live_at)');
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
