import type { DataSource, EntityManager } from 'typeorm';
import type { Transcript, TranscriptSegment } from '../transcripts/transcripts.types.js';
import { RecordedTranscript } from './transcript.entity.js';
import type { RecordedWord } from './transcript-segment.entity.js';
import type { TranscriptWarning } from './transcript-warning.types.js';

/** Rows in one transaction: the embedded database does nothing else meanwhile. */
const ROWS_AT_ONCE = 64;
const WRITE = `
  INSERT INTO transcript_segments (recording_id, run, "position", start_seconds, end_seconds, text, speaker,
    low_confidence, words)
  SELECT $2, $3, s."position", s."start", s."end", s.text, s.speaker, s."lowConfidence", nullif(s.words::text, 'null')::json
  FROM json_to_recordset($1::json) AS s ("position" integer, "start" double precision, "end" double precision, text text,
    speaker text, "lowConfidence" boolean, words json)
  ON CONFLICT (recording_id, run, "position") DO UPDATE SET start_seconds = excluded.start_seconds,
    end_seconds = excluded.end_seconds, text = excluded.text, speaker = excluded.speaker,
    low_confidence = excluded.low_confidence, words = excluded.words`;
const DELETE_OLDER = `
  DELETE FROM transcript_segments WHERE recording_id = $1 AND run < $2 AND (run, "position") IN (
    SELECT run, "position" FROM transcript_segments WHERE recording_id = $1 AND run < $2 LIMIT ${ROWS_AT_ONCE})
  RETURNING "position"`;

/** What runs a transaction of a run: it is committed only while the run goes on. */
export type RunTransaction = <T>(work: (tx: EntityManager) => Promise<T>) => Promise<T>;

/** Which transcript. */
export interface TranscriptKey {
  readonly recordingId: string;
  readonly run: number;
}

/** Keeps transcripts; what is written is shown when the recording says so, in the transaction that `finish` is part of. */
export class TranscriptStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes the segments of a transcript, once more where that was broken off. */
  async writeSegments(
    { recordingId, run }: TranscriptKey,
    segments: readonly TranscriptSegment[],
    transaction: RunTransaction,
  ): Promise<void> {
    for (let first = 0; first < segments.length; first += ROWS_AT_ONCE) {
      const rows = segments
        .slice(first, first + ROWS_AT_ONCE)
        .map((segment, index) => ({ ...toRow(segment), position: first + index }));
      await transaction((tx) => tx.query(WRITE, [JSON.stringify(rows), recordingId, run]));
    }
  }

  /** Writes what is known of a transcript beside its segments. */
  async finish(
    tx: EntityManager,
    { recordingId, run }: TranscriptKey,
    { model, transcript, warnings }: { model: string; transcript: Transcript; warnings: readonly TranscriptWarning[] },
  ): Promise<void> {
    const { language, durationSeconds, timing, segments } = transcript;
    const speakers = [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))];
    const common = { recordingId, run, model, language, durationSeconds, timing, speakers };
    const row = { ...common, warnings, segmentCount: segments.length, createdAt: new Date() };
    await tx.insert(RecordedTranscript, row as never);
  }

  /** Deletes transcripts of runs before this one, in small transactions. */
  async deleteBefore(
    { recordingId, run }: TranscriptKey,
    transaction: <T>(work: (tx: EntityManager) => Promise<T>) => Promise<T>,
  ): Promise<void> {
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
      const [rows] = await transaction((tx) => tx.query<[object[], number]>(DELETE_OLDER, [recordingId, run]));
      deleted = rows.length;
    }
    await transaction((tx) =>
      tx.query('DELETE FROM transcripts WHERE recording_id = $1 AND run < $2', [recordingId, run]),
    );
  }

  /** A transcript, without its segments. */
  find({ recordingId, run }: TranscriptKey): Promise<RecordedTranscript | null> {
    return this.dataSource.manager.findOneBy(RecordedTranscript, { recordingId, run });
  }
}

function toRow({ start, end, text, speaker, lowConfidence, words }: TranscriptSegment) {
  const kept = words && words.map((word): RecordedWord => toWord(word));
  return { start: rounded(start), end: rounded(end), text, speaker, lowConfidence, words: kept };
}

function toWord({ word, start, end, confidence }: RecordedWord): RecordedWord {
  return { word, start: rounded(start), end: rounded(end), confidence };
}

/** To the millisecond: no engine knows better. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
