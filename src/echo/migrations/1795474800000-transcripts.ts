import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that transcribe recordings, chunk by chunk, and the transcripts that they have made. */
export class Transcripts1795474800000 implements MigrationInterface {
  readonly name = 'Transcripts1795474800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Migrations only go forward: a later one corrects an earlier one. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  'ALTER TABLE recordings ADD COLUMN transcript_run integer',
  `CREATE TABLE transcription_runs (
    recording_id text NOT NULL,
    run integer NOT NULL,
    model text,
    language text NOT NULL,
    diarization_enabled boolean NOT NULL,
    chunk_count integer,
    CONSTRAINT transcription_runs_pkey PRIMARY KEY (recording_id, run),
    CONSTRAINT transcription_runs_recording_id_fkey FOREIGN KEY (recording_id)
      REFERENCES recordings (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE transcription_chunks (
    recording_id text NOT NULL,
    run integer NOT NULL,
    "position" integer NOT NULL,
    chunk json NOT NULL,
    answer json,
    failure text,
    CONSTRAINT transcription_chunks_pkey PRIMARY KEY (recording_id, run, "position"),
    CONSTRAINT transcription_chunks_recording_id_fkey FOREIGN KEY (recording_id)
      REFERENCES recordings (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE transcripts (
    recording_id text NOT NULL,
    run integer NOT NULL,
    model text NOT NULL,
    language text,
    duration_seconds double precision NOT NULL,
    timing text NOT NULL,
    speakers text[] NOT NULL,
    warnings json NOT NULL,
    segment_count integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT transcripts_pkey PRIMARY KEY (recording_id, run),
    CONSTRAINT transcripts_recording_id_fkey FOREIGN KEY (recording_id) REFERENCES recordings (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE transcript_segments (
    recording_id text NOT NULL,
    run integer NOT NULL,
    "position" integer NOT NULL,
    start_seconds double precision NOT NULL,
    end_seconds double precision NOT NULL,
    text text NOT NULL,
    speaker text,
    low_confidence boolean NOT NULL,
    words json,
    CONSTRAINT transcript_segments_pkey PRIMARY KEY (recording_id, run, "position"),
    CONSTRAINT transcript_segments_recording_id_fkey FOREIGN KEY (recording_id)
      REFERENCES recordings (id) ON DELETE CASCADE
  )`,
];
