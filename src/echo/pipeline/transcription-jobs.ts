import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { CallOwner } from '../../access/caller.js';
import { Forbidden } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import type { TranscribeLimits } from '../../inference/speech/speech.types.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { WorkTurn } from '../../platform/extraction/child/work-turns.js';
import { waitSeconds } from '../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobWatch } from '../../platform/jobs/job-watch.js';
import type { Job, JobOwner, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import type { Scratch } from '../../platform/scratch/scratch.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import { findFirstBlob } from '../recordings/audio-pieces.js';
import { Recording } from '../recordings/recording.entity.js';
import type { TranscriptStore } from '../results/transcript-store.js';
import type { TranscriptWarning } from '../results/transcript-warning.types.js';
import { AcrossReader } from '../transcripts/read-across.js';
import type { Transcript } from '../transcripts/transcripts.types.js';
import { assembleTranscript, withoutSpeakers } from './assemble-transcript.js';
import { ChunkReader } from './chunk-reader.js';
import { ChunkTranscriber } from './chunk-transcriber.js';
import { planRun } from './run-audio.js';
import type { RunAudio, RunAudioReader } from './run-audio.js';
import { RunEvents, tellEnded } from './run-events.js';
import { RunEnded, RunLog } from './run-log.js';
import { Transcription } from './transcription.js';
import { failureOf } from './transcription-failure.js';
import type { TranscriptionFailure } from './transcription-failure.js';
import { sendJob } from './transcription-job.js';
import type { TranscriptionPayload } from './transcription-job.js';
import { TranscriptionRun } from './transcription-run.entity.js';
import type { SpeakerTeller } from './speaker-teller.js';

/**
 * Each waits for engines most of the time, and decoding has processes of its own. A user leaves places of the tenant to
 * colleagues, as a tenant leaves places to others.
 */
const LIMITS = { atOnce: 12, atOnceForTenant: 4, atOnceForUser: 2 };
/** How often is waited for what is missing: some twenty minutes in all. */
const MOST_WAITS = 9;
const NOT_PERMITTED = 'Whoever owns this recording may not use the platform any more.';

interface TranscriptionJobsParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly audio: RunAudioReader;
  readonly scratch: Pick<Scratch, 'folderFor'>;
  readonly models: Pick<Models, 'transcribe' | 'transcribeLimits' | 'transformOf'>;
  readonly speakers: SpeakerTeller;
  readonly store: TranscriptStore;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
  /** Told when a recording has changed. */
  readonly changed: (recordingId: string) => void;
}

/** What one attempt at a run works with. */
interface Attempt {
  readonly recording: Recording;
  readonly row: TranscriptionRun;
  readonly log: RunLog;
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
}

/** Transcribes recordings, one job each. What a run has done is not done again by its next attempt. */
export class TranscriptionJobs {
  constructor(private readonly parts: TranscriptionJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  private async run(job: Job): Promise<void> {
    const payload = job.payload as unknown as TranscriptionPayload;
    const { recordingId: id, run } = payload;
    const { dataSource, changed } = this.parts;
    const recording = await dataSource.manager.findOneBy(Recording, { id, run, deletedTime: IsNull() });
    const row = await dataSource.manager.findOneBy(TranscriptionRun, { recordingId: id, run });
    if (!recording || !row) return;
    if (recording.transcriptRun === run) return this.cleanUp(recording, job);
    if (recording.status !== 'uploaded' && recording.status !== 'transcribing') return;
    const blobKey = await findFirstBlob(dataSource.manager, id);
    if (blobKey !== undefined) await job.requireFile(blobKey);
    const log = new RunLog({ recordingId: id, run }, job);
    const { tenantId, ownerId: userId } = recording;
    const watch = new JobWatch(() => this.findEnd(log, { tenantId, userId }));
    try {
      const signal = AbortSignal.any([job.signal, watch.ended]);
      await this.transcribe({ recording, row, log, owner: { tenantId, userId, tokenId: job.id }, signal });
      await this.cleanUp(recording, job);
    } catch (error) {
      const reason: unknown = watch.ended.aborted ? watch.ended.reason : error;
      if (reason instanceof RunEnded) return;
      job.signal.throwIfAborted();
      const failure = failureOf(reason, job.attempt);
      if (!failure) throw reason;
      await this.fail(recording, log, failure, payload);
    } finally {
      watch.close();
      changed(id);
    }
  }

  private async findEnd(log: RunLog, owner: JobOwner): Promise<Error | undefined> {
    const { dataSource, permits } = this.parts;
    if (!(await log.isOpen(dataSource.manager))) return new RunEnded();
    return (await permits(owner)) ? undefined : new Forbidden(NOT_PERMITTED);
  }

  private async transcribe(attempt: Attempt): Promise<void> {
    const { scratch, models, changed, dataSource } = this.parts;
    const { recording, row, log, owner, signal } = attempt;
    const { id } = recording;
    await log.transaction((tx) => tx.update(Recording, { id }, { status: 'transcribing', error: null }));
    changed(id);
    await using folder = await scratch.folderFor(owner);
    const findLimits = () => models.transcribeLimits(owner, row.model ?? undefined);
    const audio = await this.read(attempt, folder, findLimits);
    const limits = await findLimits();
    const { manager } = dataSource;
    const events = new RunEvents(recording, log.transaction);
    if (row.chunkCount !== null && (await log.isPlannedFor(manager, audio))) await events.open(manager);
    else await log.plan(planRun(audio, limits), limits.model);
    const { language, diarizationEnabled } = row;
    const transcriber = new ChunkTranscriber(models, {
      owner,
      model: limits.model,
      language,
      wantsSpeakers: diarizationEnabled,
      audio,
      folder,
      signal,
    });
    const done = new Transcription({ manager, log, transcriber, changed: () => changed(id) }).run();
    const context = { signal, serverRequestId: randomUUID() };
    const reader = new ChunkReader(AcrossReader.of(models, { caller: owner, model: limits.model, context }));
    for await (const chunk of reader.tell(done)) {
      await events.tell(chunk);
      changed(id);
    }
    const { chunks } = reader;
    const assembled = assembleTranscript(chunks, audio);
    const told = diarizationEnabled
      ? await this.parts.speakers.tell(assembled, chunks, audio.decoded, { signal, turn: turnOf(owner) })
      : { ...assembled, transcript: withoutSpeakers(assembled.transcript) };
    await this.complete(attempt, limits.model, told);
  }

  /** Makes the audio ready, and keeps what is known of it then. */
  private async read(
    { recording, log, owner, signal }: Attempt,
    folder: ScratchFolder,
    limits: () => Promise<TranscribeLimits>,
  ): Promise<RunAudio> {
    const { audio, changed } = this.parts;
    const { id, uploadedBytes: sizeBytes } = recording;
    const sha256 = recording.sha256 ?? (await audio.hash({ recordingId: id, signal }));
    if (recording.sha256 === null) await log.transaction((tx) => tx.update(Recording, { id }, { sha256 }));
    const read = await audio.read({ recordingId: id, sizeBytes, folder, signal, turn: turnOf(owner) }, limits);
    if (read.decoded) {
      const { durationSeconds } = read.decoded;
      await log.transaction((tx) => tx.update(Recording, { id }, { durationSeconds }));
      changed(id);
    }
    return read;
  }

  /** Puts the new transcript into the place of the one before, at once. */
  private async complete(
    { recording, log }: Attempt,
    model: string,
    { transcript, warnings }: { readonly transcript: Transcript; readonly warnings: readonly TranscriptWarning[] },
  ): Promise<void> {
    const { store, audit } = this.parts;
    const { id, run, tenantId } = recording;
    const key = { recordingId: id, run };
    await store.writeSegments(key, transcript.segments, log.transaction);
    await log.transaction(async (tx) => {
      await store.finish(tx, key, { model, transcript, warnings });
      const done = {
        status: 'completed',
        error: null,
        progress: 1,
        transcriptRun: run,
        transcribedAt: new Date(),
      } as const;
      // Labels of another transcript may be those of others.
      const { durationSeconds } = transcript;
      await tx.update(
        Recording,
        { id },
        { ...done, ...(durationSeconds !== null && { durationSeconds }), speakers: {} },
      );
      await tellEnded(tx, recording);
      await audit.record(tx, SYSTEM, { tenantId, action: 'recording.complete', target: { type: 'recording', id } });
    });
    this.parts.changed(id);
  }

  /** The transcript before the last one stays until the next: it may still be read. */
  private async cleanUp({ id, run }: Recording, job: Job): Promise<void> {
    await new RunLog({ recordingId: id, run }, job).deleteChunks();
    await this.parts.store.deleteBefore({ recordingId: id, run: run - 1 }, (work) => job.transaction(work));
  }

  private async fail(
    recording: Recording,
    log: RunLog,
    failure: TranscriptionFailure,
    payload: TranscriptionPayload,
  ): Promise<void> {
    const { audit, jobs } = this.parts;
    const { id, tenantId, transcriptRun } = recording;
    const { message: error, isTransient, isMissing, reason } = failure;
    const work = async (tx: EntityManager): Promise<void> => {
      if (isTransient && payload.waits < MOST_WAITS) {
        await tx.update(Recording, { id }, { error });
        const delaySeconds = waitSeconds(payload.waits);
        await sendJob(tx, jobs, { ...payload, waits: payload.waits + 1 }, { ...recording, delaySeconds });
        return;
      }
      const status = transcriptRun === null ? (isMissing ? 'uploaded' : 'failed') : 'completed';
      await tx.update(Recording, { id }, { status, error });
      await tellEnded(tx, recording, failure);
      const target = { type: 'recording', id };
      await audit.record(tx, SYSTEM, { tenantId, action: 'recording.fail', target, outcome: 'failure', reason });
    };
    await log.transaction(work).catch((ended: unknown) => {
      if (!(ended instanceof RunEnded)) throw ended;
    });
  }
}

function turnOf({ tenantId, userId }: CallOwner): WorkTurn {
  return { tenantId, userId, kind: 'job' };
}
