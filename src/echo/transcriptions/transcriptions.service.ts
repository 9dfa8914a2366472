import type { Logger } from 'pino';
import type { Caller } from '../../access/caller.js';
import { PlatformError } from '../../errors.js';
import type { Blob } from '../../graph/blob.types.js';
import type { Upload } from '../../graph/upload.js';
import type { CallContext, Models } from '../../inference/domain.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { Scratch } from '../../platform/scratch/scratch.js';
import { joinChunks } from '../transcripts/join-chunks.js';
import { AcrossReader } from '../transcripts/read-across.js';
import type { PlacedChunk, Transcript } from '../transcripts/transcripts.types.js';
import { toAudioRefusal } from './audio-refusal.js';
import type { OpenAnswer, OpenAnswers } from './open-answers.js';
import { receiveAudio } from './receive-audio.js';
import { requireTimes, Transcriber } from './transcriber.js';
import type { PreparedAudio, TranscriptionWork } from './transcriber.js';
import { FORMAT_TYPES, toBody } from './transcription-body.js';
import { transcriptionEvents } from './transcription-events.js';
import { readTranscriptionRequest } from './transcription-request.js';
import type { ResponseFormat, TranscriptionRequest } from './transcription-request.js';

/** What the addresses of transcriptions lead to. */
export const TRANSCRIPTION_BLOB = 'transcription';

interface TranscriptionParts {
  readonly models: Models;
  readonly audio: Pick<AudioProcessor, 'children' | 'decode'>;
  readonly scratch: Pick<Scratch, 'folderFor'>;
  readonly links: BlobLinks;
  readonly answers: OpenAnswers;
  /** The largest file. */
  readonly maxBytes: number;
  /** @throws QuotaExceeded where nothing is left of the caller's quota */
  readonly requireQuota: (caller: Caller) => Promise<void>;
  readonly log: Logger;
}

const ENDINGS: Readonly<Partial<Record<ResponseFormat, string>>> = { text: 'txt', srt: 'srt', vtt: 'vtt' };

/** Transcribes files that are sent with the request, and stores nothing. */
export class TranscriptionsService {
  private readonly transcriber: Transcriber;

  constructor(private readonly parts: TranscriptionParts) {
    this.transcriber = new Transcriber(parts);
  }

  /**
   * Transcribes or translates the file of a request. A stream begins when its file is decoded.
   * @returns where the answer is, once
   * @throws PlatformError for what is wrong with the file, the fields or the model; as `Models.transcribe` does
   */
  async take(caller: Caller, task: TranscriptionRequest['task'], upload: Upload, context: CallContext): Promise<Blob> {
    const { scratch, links, answers, maxBytes, requireQuota } = this.parts;
    await using started = new AsyncDisposableStack();
    try {
      // Before the file comes, which takes room and time.
      await requireQuota(caller);
      const folder = started.use(await scratch.folderFor(caller));
      const { audio, fields } = await receiveAudio(upload, { folder, maxBytes, signal: context.signal });
      const request = readTranscriptionRequest(task, fields);
      const work: TranscriptionWork = { caller, request, context, folder, charged: { seconds: 0 } };
      const limits = await this.transcriber.limits(caller, request);
      const prepared = await this.transcriber.prepare(work, audio, limits);
      const answer = {
        ...(await this.answer(work, prepared)),
        close: () => folder[Symbol.asyncDispose](),
      };
      started.move();
      const { tenantId, userId } = caller;
      const key = answers.add(caller, answer);
      const { mediaType, filename } = answer;
      const url = links.urlOf({ kind: TRANSCRIPTION_BLOB, key, tenantId, userId });
      return { url, mediaType, sizeBytes: null, sha256: null, filename };
    } catch (error) {
      // Whoever is refused has used nothing.
      if (error instanceof PlatformError && error.status === 429) await context.admission?.refundRateLimit();
      throw toAudioRefusal(error);
    }
  }

  private async answer(work: TranscriptionWork, prepared: PreparedAudio): Promise<Omit<OpenAnswer, 'close'>> {
    const { request, charged } = work;
    const durationSeconds = prepared.decoded?.durationSeconds ?? null;
    const finish = (transcript: Transcript): Promise<Transcript> => this.finish(work, prepared, transcript);
    const heard = this.transcriber.transcribe(work, prepared);
    const { caller, context } = work;
    const across = AcrossReader.of(this.parts.models, { caller, model: prepared.limits.model, context });
    if (request.isStream) {
      const { log } = this.parts;
      const chunks = across?.read(heard) ?? heard;
      const bytes = transcriptionEvents({ request, durationSeconds, chunks, finish, charged, log });
      return { mediaType: 'text/event-stream; charset=utf-8', filename: 'transcript.sse', bytes };
    }
    const placed: PlacedChunk[] = [];
    for await (const chunk of heard) {
      if (across) await across.add(placed, chunk);
      else placed.push(chunk);
    }
    const body = toBody(request, await finish(joinChunks(placed, durationSeconds)), charged.seconds);
    const filename = `transcript.${ENDINGS[request.format] ?? 'json'}`;
    return { mediaType: FORMAT_TYPES[request.format], filename, bytes: once(Buffer.from(body)) };
  }

  private async finish(work: TranscriptionWork, prepared: PreparedAudio, transcript: Transcript): Promise<Transcript> {
    const { request } = work;
    requireTimes(request, transcript);
    const whole = { ...transcript, language: transcript.language ?? request.language ?? null };
    if (request.format !== 'diarized_json') return whole;
    return this.transcriber.withSpeakers(work, prepared, whole);
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
