import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has happened in live transcriptions. */
export class LiveEvents1795472000000 implements MigrationInterface {
  readonly name = 'LiveEvents1795472000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE live_events (
      recording_id text NOT NULL,
      id integer NOT NULL,
      type text NOT NULL,
      data json NOT NULL,
      CONSTRAINT live_events_pkey PRIMARY KEY (recording_id, id),
      CONSTRAINT live_events_recording_id_fkey FOREIGN KEY (recording_id) REFERENCES recordings (id) ON DELETE CASCADE
    )`);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
