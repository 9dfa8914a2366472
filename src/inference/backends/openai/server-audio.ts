import { LRUCache } from 'lru-cache';
import { BadUpstream, PlatformError } from '../../../errors.js';
import type { JsonLimits } from '../../../platform/json/json-depth.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import type { OriginResponse } from '../../../platform/net/egress.js';
import type { PcmSource, SpeechRequest, TranscriptionRequest } from '../../speech/engine.types.js';
import { parseLenientJson } from '../../speech/lenient-json.js';
import { WavSource } from '../../speech/wav-source.js';
import type { AnswerOptions } from '../backend.js';
import type { ServerHealth } from '../health/server-health.js';
import type { FailedAttempts } from './failed-attempts.js';
import { multipartBody } from './multipart-body.js';
import type { FormField } from './multipart-body.js';
import { mediaType } from './server-calls.js';
import type { ServerCalls } from './server-calls.js';

/** Of a whole transcript: hours of speech with the times of each word. */
const TRANSCRIPT_LIMITS = { bytes: 16 * 1024 * 1024, milliseconds: 300_000 };
/** For so many models is remembered what they refuse, and for so long: another one may be served by the same name. */
const REMEMBERED_MODELS = 1_000;
const REMEMBERED_MS = 10 * 60_000;
/** With other fields a server may refuse a format that it gives without them. */
const PLAIN_FIELDS = new Set(['language', 'prompt', 'temperature']);
/** What bare samples have where nothing is said: that of OpenAI's `pcm`. */
const PCM_RATE = 24_000;
/** What is set here, whatever a caller says. */
const OWN_FIELDS = new Set([
  'file',
  'input',
  'model',
  'response_format',
  'stream',
  'stream_format',
  'timestamp_granularities',
  'timestamp_granularities[]',
]);

interface ServerAudioParts {
  readonly calls: ServerCalls;
  readonly health: ServerHealth;
  readonly failures: FailedAttempts;
  readonly json: JsonLimits;
}

/** Calls of a model server that transcribes or speaks, as OpenAI's audio endpoints are called. */
export class ServerAudio {
  /** Formats that a model has refused, as `model format`. */
  private readonly refused = new LRUCache<string, true>({ max: REMEMBERED_MODELS, ttl: REMEMBERED_MS });

  constructor(private readonly parts: ServerAudioParts) {}

  /** @throws PlatformError, marked where another backend may be asked, or the reason of the signal */
  transcribe(request: TranscriptionRequest, options: AnswerOptions): Promise<JsonObject> {
    return this.inFormat(request, transcriptFormats(request), async (format) => {
      const path = request.translate ? '/audio/translations' : '/audio/transcriptions';
      const message = { path, ...multipartBody(transcriptFields(request, format), request.audio) };
      const response = await this.parts.calls.post('transcribe', message, options, 'whole');
      const limits = { read: TRANSCRIPT_LIMITS, json: this.parts.json, parse: parseLenientJson };
      return this.parts.calls.readObject('transcribe', response, options, limits);
    });
  }

  /** @throws as `transcribe` does */
  speak(request: SpeechRequest, options: AnswerOptions): Promise<PcmSource> {
    return this.inFormat(request, ['wav', 'pcm'], async (format) => {
      const body = JSON.stringify(speechBody(request, format));
      const response = await this.parts.calls.post('speech', { path: '/audio/speech', body }, options, 'stream');
      return this.open(response, options);
    });
  }

  /** The samples of an answer, once the first of them are there. */
  private async open(response: OriginResponse, { callerId }: AnswerOptions): Promise<PcmSource> {
    const type = mediaType(response);
    const rate = Number(/\brate=(\d{4,6})\b/i.exec(type)?.[1] ?? PCM_RATE);
    try {
      const source = await WavSource.open(response.body, /^audio\/(x-)?(pcm|l16)\b/i.test(type) ? rate : undefined);
      this.parts.health.answered('speech', callerId);
      return source;
    } catch (error) {
      response.body.cancel();
      throw error instanceof BadUpstream ? this.parts.failures.failed('speech', callerId, error) : error;
    }
  }

  /**
   * Asks for the best format that the model is not known to refuse; where it refuses one, for the next. What it says may
   * quote the caller, so a refusal is remembered for others only where the same call goes well in another format.
   */
  private async inFormat<T>(
    { model, fields }: Pick<TranscriptionRequest, 'model' | 'fields'>,
    formats: readonly string[],
    ask: (format: string) => Promise<T>,
  ): Promise<T> {
    const last = formats.at(-1) as string;
    const isPlain = Object.keys(fields).every((name) => PLAIN_FIELDS.has(name) || OWN_FIELDS.has(name));
    const refusedNow: string[] = [];
    const tell = (answer: T): T => {
      if (isPlain) for (const known of refusedNow) this.refused.set(known, true);
      return answer;
    };
    for (const format of formats) {
      const known = `${model} ${format}`;
      if (format === last || this.refused.has(known)) continue;
      try {
        return tell(await ask(format));
      } catch (error) {
        if (!isFormatRefusal(error)) throw error;
        refusedNow.push(known);
      }
    }
    return tell(await ask(last));
  }
}

/** Whether a server says that it does not give the format that was asked for. */
function isFormatRefusal(error: unknown): boolean {
  if (!(error instanceof PlatformError) || (error.status !== 400 && error.status !== 422)) return false;
  return /response_?format|timestamp_?granularit|verbose_json|diarized_json/i.test(
    `${error.details.param ?? ''} ${error.message}`,
  );
}

/** The formats that would do, the best first. */
function transcriptFormats({ traits, wantsSpeakers, wantsWords, wantsSegments }: TranscriptionRequest): string[] {
  const speakers = wantsSpeakers && traits.givesSpeakers ? ['diarized_json'] : [];
  const wantsTimes = wantsSpeakers || (wantsWords && traits.givesWords) || (wantsSegments && traits.givesSegments);
  return [...speakers, ...(wantsTimes && (traits.givesWords || traits.givesSegments) ? ['verbose_json'] : []), 'json'];
}

function transcriptFields(request: TranscriptionRequest, format: string): FormField[] {
  const { model, fields, traits, translate } = request;
  const isVerbose = format === 'verbose_json';
  const granularities = [
    ...(request.wantsWords && traits.givesWords ? ['word'] : []),
    ...(request.wantsSegments || request.wantsSpeakers ? ['segment'] : []),
  ];
  return [
    ['model', model],
    ['response_format', format],
    ...(isVerbose && !translate ? granularities.map((value): FormField => ['timestamp_granularities[]', value]) : []),
    ...(format === 'diarized_json' && fields['chunking_strategy'] === undefined
      ? [['chunking_strategy', 'auto'] as const]
      : []),
    ...Object.entries(fields)
      .filter(([name]) => !OWN_FIELDS.has(name))
      .flatMap(([name, value]) => formFields(name, value)),
  ];
}

/** A value as a form has it: a list is its entries, an object its JSON. */
function formFields(name: string, value: unknown): FormField[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const listName = name.endsWith('[]') ? name : `${name}[]`;
    return value.flatMap((entry) => formFields(listName, typeof entry === 'object' ? JSON.stringify(entry) : entry));
  }
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
}

function speechBody({ model, traits, input, voice, speed, fields }: SpeechRequest, format: string): JsonObject {
  const others = Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name));
  return {
    ...Object.fromEntries(others),
    model,
    input,
    voice: voice ?? traits.voices[0]?.id ?? 'alloy',
    response_format: format,
    ...(speed !== 1 && { speed }),
  };
}
