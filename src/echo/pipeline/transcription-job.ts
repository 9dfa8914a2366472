import type { EntityManager } from 'typeorm';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { findFirstBlob } from '../recordings/audio-pieces.js';
import { Recording } from '../recordings/recording.entity.js';
import { tellBegun } from './run-events.js';
import { TranscriptionRun } from './transcription-run.entity.js';

/** The kind of jobs that transcribe recordings. */
export const TRANSCRIPTION_JOB = 'echo.transcribe';

/** What a job is given. */
export interface TranscriptionPayload {
  readonly recordingId: string;
  /** A job of an earlier run than the recording's has nothing to do any more. */
  readonly run: number;
  /** How often what it needs was missing. */
  readonly waits: number;
}

/** What of a recording its runs depend on. */
type Transcribed = Pick<
  Recording,
  'id' | 'tenantId' | 'ownerId' | 'run' | 'model' | 'language' | 'diarizationEnabled' | 'liveAt'
>;

/** Begins another run of a recording whose audio is all there, in the transaction that wants it, and has locked it. */
export async function beginRun(
  tx: EntityManager,
  jobs: Pick<JobQueue, 'enqueue'>,
  { id: recordingId, tenantId, ownerId, run: before, liveAt, model, language, diarizationEnabled }: Transcribed,
): Promise<void> {
  const run = before + 1;
  await tx.insert(TranscriptionRun, { recordingId, run, model, language, diarizationEnabled, chunkCount: null });
  await tx.update(Recording, { id: recordingId }, { run, error: null, progress: 0 });
  await tellBegun(tx, { id: recordingId, run, liveAt });
  await sendJob(tx, jobs, { recordingId, run, waits: 0 }, { tenantId, ownerId });
}

/** Puts a run into the queue. @param when `delaySeconds`: it is not done before; default: 0 */
export async function sendJob(
  tx: EntityManager,
  jobs: Pick<JobQueue, 'enqueue'>,
  payload: TranscriptionPayload,
  when: Pick<Recording, 'tenantId' | 'ownerId'> & { readonly delaySeconds?: number },
): Promise<void> {
  const { tenantId, ownerId: about, delaySeconds = 0 } = when;
  const blobKey = await findFirstBlob(tx, payload.recordingId);
  const job = { kind: TRANSCRIPTION_JOB, payload: { ...payload }, tenantId, about, delaySeconds };
  await jobs.enqueue({ ...job, ...(blobKey !== undefined && { blobKey }) }, tx);
}
