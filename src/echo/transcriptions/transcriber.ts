import type { Caller } from '../../access/caller.js';
import { Conflict } from '../../errors.js';
import type { CallContext, Models } from '../../inference/domain.js';
import type { TranscribedAudio, TranscribeLimits } from '../../inference/speech/speech.types.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import type { DecodedAudio } from '../../platform/audio/audio.types.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import type { WorkTurn } from '../../platform/extraction/child/work-turns.js';
import { assignSpeakers } from '../speakers/assign-speakers.js';
import { tellSpeakers } from '../speakers/tell-speakers.js';
import { planChunks } from '../transcripts/chunk-plan.js';
import { transcribeChunk } from '../transcripts/transcribe-chunk.js';
import type { ChunkAudio } from '../transcripts/transcribe-chunk.js';
import type { Chunk, PlacedChunk, Transcript } from '../transcripts/transcripts.types.js';
import { requireTaken, toWholeChunk, transcribeWhole, undecodedType } from '../transcripts/whole-audio.js';
import type { WholeAudio, WholeCall } from '../transcripts/whole-audio.js';
import { toAudioRefusal } from './audio-refusal.js';
import type { ReceivedAudio } from './receive-audio.js';
import type { TranscriptionRequest } from './transcription-request.js';

/** What is transcribed, where its files may lie, and for whom. */
export interface TranscriptionWork {
  readonly caller: Caller;
  readonly request: TranscriptionRequest;
  readonly context: CallContext;
  readonly folder: ScratchFolder;
  /** What its calls have been charged so far. */
  readonly charged: { seconds: number };
}

/** Audio that an engine can be asked about: decoded, or the whole file where only ffmpeg could decode it, which is not here. */
export interface PreparedAudio {
  readonly decoded: DecodedAudio | undefined;
  readonly whole: WholeAudio | undefined;
  readonly chunks: readonly Chunk[];
  readonly limits: TranscribeLimits;
}

interface TranscriberParts {
  readonly models: Models;
  readonly audio: Pick<AudioProcessor, 'children' | 'decode'>;
}

/** Has engines transcribe a file, chunk by chunk, and puts what they say where it was said. */
export class Transcriber {
  constructor(private readonly parts: TranscriberParts) {}

  /**
   * What the engine takes and gives that would be asked.
   * @throws NotFound `model_not_found`; Conflict `model_not_allowed` or `capability_not_supported`, which names the field
   * that cannot be made
   */
  async limits(caller: Caller, request: TranscriptionRequest): Promise<TranscribeLimits> {
    const { models } = this.parts;
    const limits = await models.transcribeLimits(caller, request.model);
    requireMakeable(request, limits);
    return limits;
  }

  /**
   * Decodes a file, and plans what the engine is asked. A file that cannot be decoded here goes as it is to an engine that
   * takes it.
   * @throws PlatformError with what is wrong with the file
   */
  async prepare(work: TranscriptionWork, file: ReceivedAudio, limits: TranscribeLimits): Promise<PreparedAudio> {
    const { folder, context } = work;
    try {
      const decoded = await this.parts.audio.decode(file.path, {
        folder,
        signal: context.signal,
        turn: turnOf(work.caller),
      });
      const chunks = planChunks(decoded.spans, decoded.durationSeconds, limits);
      return { decoded, whole: undefined, limits, chunks };
    } catch (error) {
      const type = undecodedType(error);
      if (!type) throw toAudioRefusal(error);
      const whole = { type, path: file.path, sizeBytes: file.sizeBytes };
      requireTaken(limits, whole);
      requireOwnSpeakers(work.request, limits);
      return { decoded: undefined, whole, limits, chunks: [toWholeChunk(whole, limits)] };
    }
  }

  /** What is said in the chunks, one after another. @throws as `transcribeChunk` does */
  async *transcribe(work: TranscriptionWork, prepared: PreparedAudio): AsyncGenerator<PlacedChunk, void, undefined> {
    const { request, folder, context } = work;
    const { decoded, whole, limits } = prepared;
    const ask = (audio: ChunkAudio | WholeCall): Promise<TranscribedAudio> => this.ask(work, limits, audio);
    if (whole) {
      for (const chunk of prepared.chunks) yield await transcribeWhole(ask, whole, chunk, request.prompt ?? '');
      return;
    }
    const wavPath = decoded?.wavPath ?? '';
    const chunkWork = { wavPath, folder, signal: context.signal, ask };
    for (const chunk of prepared.chunks) yield await transcribeChunk(chunkWork, chunk, request.prompt ?? '');
  }

  /** Who says what: as the engine tells it where one chunk is all there is, else by the voices. */
  async withSpeakers(
    { caller, context: { signal } }: TranscriptionWork,
    { decoded, chunks }: PreparedAudio,
    transcript: Transcript,
  ): Promise<Transcript> {
    const isTold = chunks.length === 1 && transcript.segments.some(({ speaker }) => speaker !== null);
    if (isTold || !decoded || transcript.segments.length === 0) return transcript;
    const { wavPath, spans } = decoded;
    const file = { wavPath, spans, signal, turn: turnOf(caller) };
    return assignSpeakers(transcript, await tellSpeakers(this.parts.audio.children, file));
  }

  private async ask(
    { caller, request, context, charged }: TranscriptionWork,
    limits: TranscribeLimits,
    audio: ChunkAudio | WholeCall,
  ): Promise<TranscribedAudio> {
    const { language, temperature, extra, format } = request;
    const heard = await this.parts.models.transcribe(caller, {
      ...audio,
      model: limits.model,
      language,
      temperature,
      wantsWords: limits.givesWords,
      wantsSegments: limits.givesSegments,
      wantsSpeakers: format === 'diarized_json',
      translate: request.task === 'translate',
      extra,
      context,
    });
    charged.seconds += heard.chargedSeconds;
    return heard;
  }
}

function turnOf({ tenantId, userId }: Caller): WorkTurn {
  return { tenantId, userId, kind: 'request' };
}

/** The field that an engine cannot make is named. @throws Conflict `capability_not_supported` */
function requireMakeable({ task, format, granularities }: TranscriptionRequest, limits: TranscribeLimits): void {
  const { givesWords, givesSegments, translates } = limits;
  const refuse = (param: string, what: string): never => {
    throw new Conflict('capability_not_supported', `The model ${limits.model} ${what}.`, param);
  };
  if (task === 'translate' && !translates) refuse('model', 'does not translate');
  const needsTimes = format !== 'json' && format !== 'text';
  if (needsTimes && !givesWords && !givesSegments) refuse('response_format', 'does not tell when something is said');
  const wantsWords = format === 'verbose_json' && granularities.has('word');
  if (wantsWords && !givesWords) refuse('timestamp_granularities[]', 'does not tell when each word is said');
}

/** Voices are told apart in decoded audio alone. @throws Conflict `capability_not_supported` */
function requireOwnSpeakers({ format }: TranscriptionRequest, { model, givesSpeakers }: TranscribeLimits): void {
  if (format !== 'diarized_json' || givesSpeakers) return;
  const message = `The model ${model} does not tell speakers apart, which for audio other than WAV needs ffmpeg.`;
  throw new Conflict('capability_not_supported', message, 'response_format');
}

/**
 * What an engine was expected to tell, and did not, or not as the rules for personal data let it be told.
 * @throws Conflict `capability_not_supported`
 */
export function requireTimes({ format, granularities }: TranscriptionRequest, { timing, segments }: Transcript): void {
  if (format === 'json' || format === 'text' || segments.length === 0) return;
  if (timing === 'none') {
    throw new Conflict('capability_not_supported', 'It is not known when something is said.', 'response_format');
  }
  if (format === 'verbose_json' && granularities.has('word') && timing !== 'words') {
    const param = 'timestamp_granularities[]';
    throw new Conflict('capability_not_supported', 'It is not known when each word is said.', param);
  }
}
