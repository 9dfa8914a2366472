import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Blob } from '../../graph/blob.types.js';
import type { Models } from '../../inference/domain.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobReader } from '../../platform/blobs/readable-blob.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import { isId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { toFileName } from '../../platform/text/file-name.js';
import { beginRun } from '../pipeline/transcription-job.js';
import { findOwn, lockOwn, ownedBy } from '../recordings/recording-access.js';
import { checkedLanguage } from '../recordings/recording-checks.js';
import { Recording } from '../recordings/recording.entity.js';
import type { RecordedTranscript } from './transcript.entity.js';
import { TRANSCRIPT_TYPES, TranscriptFormat } from './transcript-format.js';
import { RecordedSegment } from './transcript-segment.entity.js';
import type { TranscriptStore } from './transcript-store.js';
import type { TranscriptWriter } from './transcript-writer.js';

/** What the addresses of transcripts lead to. */
export const TRANSCRIPT_BLOB = 'recording_transcript';

interface TranscriptsParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly links: BlobLinks;
  readonly models: Pick<Models, 'transcribeLimits'>;
  readonly store: TranscriptStore;
  readonly writer: TranscriptWriter;
  readonly notifier: ChangeNotifier;
}

/** How a recording is to be transcribed; what is absent is as before. */
export interface TranscriptionWish {
  /** Null: whichever can. */
  readonly model?: string | null;
  readonly language?: string | null;
  readonly diarizationEnabled?: boolean | null;
}

/** Transcripts of recordings: how they are asked for, and fetched. */
export class TranscriptsService {
  constructor(private readonly parts: TranscriptsParts) {}

  /**
   * Has a recording transcribed once more; the transcript that is there serves until then.
   * @throws NotFound also for recordings of others, and `model_not_found`; Conflict where the audio is not all there, or is
   * being transcribed; `model_not_allowed`; `capability_not_supported` where no model can, or it cannot tell speakers apart;
   * BadRequest that names the field
   */
  async transcribe(caller: Caller, id: string, wish: TranscriptionWish): Promise<Recording> {
    const { dataSource, audit, jobs, models, notifier } = this.parts;
    const before = await findOwn(dataSource.manager, caller, id);
    const wanted = {
      model: wish.model === undefined ? before.model : wish.model,
      language: checkedLanguage(wish.language ?? before.language),
      diarizationEnabled: wish.diarizationEnabled ?? before.diarizationEnabled,
    };
    requireFree(before);
    const limits = await models.transcribeLimits(caller, wanted.model ?? undefined);
    const tellsSpeakers = limits.givesWords || limits.givesSegments || limits.givesSpeakers;
    if (wanted.diarizationEnabled && !tellsSpeakers) {
      const message = `The model ${limits.model} does not tell when something was said, so speakers cannot be told apart.`;
      throw new Conflict('capability_not_supported', message, 'diarizationEnabled');
    }
    const recording = await dataSource.transaction(async (tx) => {
      const locked = await lockOwn(tx, caller, id);
      requireFree(locked);
      await tx.update(Recording, { id }, { ...wanted, status: 'transcribing' });
      await beginRun(tx, jobs, { ...locked, ...wanted });
      const target = { type: 'recording', id };
      await audit.record(tx, actorOf(caller), { tenantId: caller.tenantId, action: 'recording.transcribe', target });
      return findOwn(tx, caller, id);
    });
    notifier.changed(id);
    return recording;
  }

  /** @throws NotFound also for recordings of others, and where there is none yet */
  async get(caller: Caller, id: string): Promise<RecordedTranscript> {
    return this.transcriptOf(await findOwn(this.parts.dataSource.manager, caller, id));
  }

  /** Segments of a transcript, from a number on. */
  segments({ recordingId, run }: RecordedTranscript, first: number, count: number): Promise<RecordedSegment[]> {
    return this.parts.dataSource
      .getRepository(RecordedSegment)
      .createQueryBuilder('s')
      .where('s.recording_id = :recordingId AND s.run = :run AND s."position" >= :first', { recordingId, run, first })
      .orderBy('s."position"')
      .take(count)
      .getMany();
  }

  /** Where a transcript is fetched. @throws as `get` does */
  async address(caller: Caller, id: string, format: TranscriptFormat): Promise<Blob> {
    const recording = await findOwn(this.parts.dataSource.manager, caller, id);
    await this.transcriptOf(recording);
    const { tenantId, userId } = caller;
    const url = this.parts.links.urlOf({ kind: TRANSCRIPT_BLOB, key: `${id}.${format}`, tenantId, userId });
    return {
      url,
      mediaType: TRANSCRIPT_TYPES[format],
      sizeBytes: null,
      sha256: null,
      filename: nameOf(recording, format),
    };
  }

  /** What the addresses of transcripts lead to. */
  get blobReaders(): Readonly<Record<string, BlobReader>> {
    const { dataSource, writer, store } = this.parts;
    const read: BlobReader = async (user, key) => {
      const [id = '', format = ''] = key.split('.');
      if (!isId('rec', id) || !Object.hasOwn(TranscriptFormat, format)) return undefined;
      const known = format as TranscriptFormat;
      const recording = await dataSource.manager.findOneBy(Recording, { ...ownedBy(user), id });
      if (!recording || recording.transcriptRun === null) return undefined;
      const run = recording.transcriptRun;
      return {
        mediaType: TRANSCRIPT_TYPES[known],
        filename: nameOf(recording, known),
        open: async () => {
          const transcript = await store.find({ recordingId: id, run });
          return transcript ? writer.write(recording, transcript, known) : undefined;
        },
      };
    };
    return { [TRANSCRIPT_BLOB]: read };
  }

  private async transcriptOf({ id: recordingId, transcriptRun: run }: Recording): Promise<RecordedTranscript> {
    const transcript = run === null ? null : await this.parts.store.find({ recordingId, run });
    if (!transcript) throw new NotFound('The recording has no transcript yet.');
    return transcript;
  }
}

/** @throws Conflict where there is nothing to transcribe, or it is done already. One that waits is begun anew. */
function requireFree({ status, error }: Recording): void {
  if (status === 'created') throw new Conflict('conflict', 'The audio of the recording is not all there.');
  if ((status === 'transcribing' || status === 'uploaded') && error === null) {
    throw new Conflict('conflict', 'The recording is being transcribed already.');
  }
}

function nameOf({ title }: Recording, format: TranscriptFormat): string {
  return toFileName(`${title}.${format === 'text' ? 'txt' : format}`, `transcript.${format}`);
}
