import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When live sessions last stored audio, so that recordings which nobody goes on with can be ended. */
export class LiveAudio1795478400000 implements MigrationInterface {
  readonly name = 'LiveAudio1795478400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recordings ADD COLUMN live_at timestamptz(3)');
    await runner.query(
      "CREATE INDEX recordings_live_at ON recordings (live_at) WHERE live_at IS NOT NULL AND status = 'created'",
    );
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
