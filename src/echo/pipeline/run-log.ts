import type { EntityManager } from 'typeorm';
import type { Job } from '../../platform/jobs/job.types.js';
import type { RunTransaction, TranscriptKey } from '../results/transcript-store.js';
import type { Chunk, PlacedChunk } from '../transcripts/transcripts.types.js';
import { isWholeChunk } from '../transcripts/whole-audio.js';
import type { RunAudio } from './run-audio.js';
import { TranscriptionChunk } from './transcription-chunk.entity.js';
import { TranscriptionRun } from './transcription-run.entity.js';

/** Rows in one transaction: the embedded database does nothing else meanwhile. */
const ROWS_AT_ONCE = 64;
/** A run that goes on. */
const OPEN_RUN = "id = $1 AND run = $2 AND deleted_at IS NULL AND status IN ('uploaded', 'transcribing')";
const IS_OPEN = `SELECT FROM recordings WHERE ${OPEN_RUN}`;
const LOCK = `${IS_OPEN} FOR UPDATE`;
const DELETE_CHUNKS = `
  DELETE FROM transcription_chunks WHERE recording_id = $1 AND run <= $2 AND (run, "position") IN (
    SELECT run, "position" FROM transcription_chunks WHERE recording_id = $1 AND run <= $2 LIMIT ${ROWS_AT_ONCE})
  RETURNING "position"`;

/** The run has come to its end, was begun anew, or its recording was deleted: nothing is to be done any more. */
export class RunEnded extends Error {
  constructor() {
    super('The run is over.');
    this.name = 'RunEnded';
  }
}

/** What a run has done, so that the next attempt goes on behind it. */
export class RunLog {
  constructor(
    private readonly key: TranscriptKey,
    private readonly job: Pick<Job, 'transaction'>,
  ) {}

  /** Whether the run goes on: it was not ended, begun anew, or its recording deleted. */
  async isOpen(manager: EntityManager): Promise<boolean> {
    const { recordingId, run } = this.key;
    return (await manager.query<object[]>(IS_OPEN, [recordingId, run])).length > 0;
  }

  /** Runs a transaction that is committed only while the run goes on. @throws RunEnded */
  readonly transaction: RunTransaction = (work) =>
    this.job.transaction(async (tx) => {
      const { recordingId, run } = this.key;
      if ((await tx.query<object[]>(LOCK, [recordingId, run])).length === 0) throw new RunEnded();
      return work(tx);
    });

  /** Keeps which chunks there are, and the model that is asked for all of them. */
  async plan(chunks: readonly Chunk[], model: string): Promise<void> {
    const { recordingId, run } = this.key;
    // One that was broken off may have been another one.
    await this.transaction((tx) => tx.delete(TranscriptionChunk, { recordingId, run }));
    for (let first = 0; first < chunks.length; first += ROWS_AT_ONCE) {
      const rows = chunks
        .slice(first, first + ROWS_AT_ONCE)
        .map((chunk) => ({ recordingId, run, position: chunk.index, chunk, answer: null, failure: null }));
      await this.transaction((tx) => tx.insert(TranscriptionChunk, rows as never));
    }
    const planned = { model, chunkCount: chunks.length };
    await this.transaction((tx) => tx.update(TranscriptionRun, { recordingId, run }, planned));
  }

  /** Whether what is still to be asked was planned for audio that is decoded, or is not, as this. */
  async isPlannedFor(manager: EntityManager, { whole }: RunAudio): Promise<boolean> {
    const open = (await this.chunks(manager)).filter(({ answer, failure }) => answer === null && failure === null);
    return open.every(({ chunk }) => isWholeChunk(chunk) === (whole !== undefined));
  }

  /** The chunks of the run, in order. */
  chunks(manager: EntityManager): Promise<TranscriptionChunk[]> {
    return manager.find(TranscriptionChunk, { where: { ...this.key }, order: { position: 'asc' } });
  }

  /** Keeps what came of a chunk. @param progress of the whole run, from 0 to 1 */
  async finishChunk(
    position: number,
    result: Partial<Pick<TranscriptionChunk, 'failure'>> & { readonly answer?: PlacedChunk },
    progress: number,
  ): Promise<void> {
    const { recordingId, run } = this.key;
    await this.transaction(async (tx) => {
      await tx.update(TranscriptionChunk, { recordingId, run, position }, result as never);
      await tx.query('UPDATE recordings SET progress = $2, updated_at = now() WHERE id = $1', [recordingId, progress]);
    });
  }

  /** Deletes what this run and those before it have kept of their chunks, in small transactions. */
  async deleteChunks(): Promise<void> {
    const { recordingId, run } = this.key;
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
      const [rows] = await this.job.transaction((tx) =>
        tx.query<[object[], number]>(DELETE_CHUNKS, [recordingId, run]),
      );
      deleted = rows.length;
    }
    await this.job.transaction((tx) =>
      tx.query('DELETE FROM transcription_runs WHERE recording_id = $1 AND run < $2', [recordingId, run]),
    );
  }
}
