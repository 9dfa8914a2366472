import type { DataSource, EntityManager } from 'typeorm';
import type { Erasure } from '../../domain-module.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { JobHandler } from '../../platform/jobs/job.types.js';
import { Recording } from '../recordings/recording.entity.js';

/** The kind of jobs that delete what is left of recordings. */
export const ERASE_JOB = 'echo.erase';

const RECORDINGS_AT_ONCE = 100;
const ROWS_AT_ONCE = 200;
/** Whoever still stores audio, or a job that still goes on, adds nothing behind it: what they add refers to the row. */
const LOCK = 'SELECT FROM recordings WHERE id = $1 FOR UPDATE';
/** What hangs on a recording, in an order in which nothing that is left refers to what is gone. */
const DELETE_ROWS = [
  ['transcript_segments', 'run, "position"'],
  ['transcription_chunks', 'run, "position"'],
  ['live_events', 'id'],
].map(
  ([table, key]) => `
  DELETE FROM ${table} WHERE recording_id = $1 AND (${key}) IN (
    SELECT ${key} FROM ${table} WHERE recording_id = $1 LIMIT ${ROWS_AT_ONCE}) RETURNING recording_id`,
);
const DELETE_PIECES = `
  DELETE FROM recording_pieces WHERE recording_id = $1 AND start_byte IN (
    SELECT start_byte FROM recording_pieces WHERE recording_id = $1 LIMIT ${ROWS_AT_ONCE}) RETURNING blob_key AS "blobKey"`;

interface RecordingErasureParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly blobs: Pick<Blobs, 'release'>;
  /** Tells whoever watches a recording. */
  readonly changed: (recordingId: string) => void;
}

/** Deletes what is left of recordings that are gone for everybody, in transactions that hold up nobody. */
export class RecordingErasure {
  constructor(private readonly parts: RecordingErasureParts) {}

  readonly handler: JobHandler = async ({ payload, signal, transaction }) => {
    const { recordingId } = payload as { recordingId: string };
    await this.eraseRecording(recordingId, { signal, transaction });
  };

  /** Puts a recording into the queue. */
  async enqueue(tx: EntityManager, erased: { readonly recordingId: string }, tenantId: string): Promise<void> {
    // It is nobody's: it is done whoever is deleted meanwhile.
    await this.parts.jobs.enqueue({ kind: ERASE_JOB, payload: { ...erased }, tenantId }, tx);
  }

  /** The recordings of a user. */
  readonly eraseUser = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseRecordings({ ownerId: id }, erasure);

  /** Those of a tenant. */
  readonly eraseTenant = ({ id }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseRecordings({ tenantId: id }, erasure);

  private async eraseRecordings(where: { ownerId: string } | { tenantId: string }, erasure: Erasure): Promise<void> {
    for (;;) {
      const { manager } = this.parts.dataSource;
      const recordings = await manager.find(Recording, { select: { id: true }, where, take: RECORDINGS_AT_ONCE });
      for (const { id } of recordings) {
        await erasure.transaction((tx) => tx.update(Recording, { id }, { deletedTime: new Date() }));
        this.parts.changed(id);
        await this.eraseRecording(id, erasure);
      }
      if (recordings.length < RECORDINGS_AT_ONCE) return;
    }
  }

  private async eraseRecording(id: string, { signal, transaction }: Erasure): Promise<void> {
    for (const sql of DELETE_ROWS) {
      for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
        signal.throwIfAborted();
        const [rows] = await transaction((tx) => tx.query<[object[], number]>(sql, [id]));
        deleted = rows.length;
      }
    }
    do signal.throwIfAborted();
    while (!(await transaction((tx) => this.eraseRows(tx, id))));
  }

  /** Deletes pieces with their bytes, and the recording where none is left. @returns whether that is done */
  private async eraseRows(tx: EntityManager, id: string): Promise<boolean> {
    await tx.query(LOCK, [id]);
    const [pieces] = await tx.query<[{ blobKey: string }[], number]>(DELETE_PIECES, [id]);
    const isDone = pieces.length < ROWS_AT_ONCE;
    if (isDone) await tx.delete(Recording, { id });
    await this.parts.blobs.release(
      tx,
      pieces.map(({ blobKey }) => blobKey),
    );
    return isDone;
  }
}
