import { Conflict, PayloadTooLarge } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { CallSizing, Exchange, ExchangeType, Upstream } from '../calls/model-call.js';
import type { TextTransform } from '../calls/text-transform.js';
import { countTokens } from '../calls/tokenizer.js';
import { toMeteredUsage } from '../calls/usage.js';
import { audioTraits } from './audio-traits.js';
import type { AudioTraits } from './engine.types.js';
import type { TranscribeCall } from './speech.types.js';
import { heardSeconds, toTranscribedAudio } from './transcript-answer.js';
import { transformTranscript } from './transcript-texts.js';

/** What an engine may read and write of a second of speech: no one says as many words, and OpenAI's hears ten tokens. */
const TOKENS_PER_SECOND = 20;
/** Of the shortest answer. */
const LEAST_TOKENS = 64;

/** Calls that transcribe one recording (docs/api.md, Echo). */
export function transcriptionOf(call: TranscribeCall): ExchangeType<Exchange> {
  return {
    operation: 'transcribe',
    create: (request, { model }) => {
      requireTaken(call, model.audio ?? audioTraits());
      return new TranscriptionExchange(request, call);
    },
  };
}

/** @throws Conflict `capability_not_supported`, PayloadTooLarge where the engine does not take the recording */
function requireTaken({ audio, audioSeconds, translate }: TranscribeCall, traits: AudioTraits): void {
  const { mediaTypes, maxBytes, maxSeconds, translates } = traits;
  if (translate && !translates)
    throw new Conflict('capability_not_supported', 'The model does not translate what is said.', 'model');
  if (mediaTypes !== 'any' && !mediaTypes.includes(audio.mediaType))
    throw new Conflict('capability_not_supported', `The model takes ${mediaTypes.join(', ')} only.`, 'file');
  if (audio.sizeBytes > maxBytes || audioSeconds > maxSeconds) throw new PayloadTooLarge(maxBytes, 'The recording');
}

/** The fields of a call as they are sent, whose texts an engine reads. */
export function transcriptionRequest(call: TranscribeCall, model: string): JsonObject {
  const { language, prompt, temperature, extra } = call;
  return {
    ...extra,
    model,
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature }),
  };
}

/** One recording and its transcript. */
class TranscriptionExchange implements Exchange {
  readonly sizing: CallSizing;

  constructor(
    readonly request: JsonObject,
    private readonly call: TranscribeCall,
  ) {
    // To the millisecond: sums of seconds are not exact.
    const milliseconds = Math.round(call.audioSeconds * 1_000);
    this.sizing = {
      audio: { promptMilliseconds: milliseconds, answerMilliseconds: 0 },
      longestAnswer: LEAST_TOKENS + Math.ceil(call.audioSeconds * TOKENS_PER_SECOND),
    };
  }

  ask(body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    const {
      audio,
      audioSeconds,
      spans,
      wantsWords,
      wantsSegments,
      wantsSpeakers = false,
      translate = false,
    } = this.call;
    const { model: _model, ...fields } = body;
    const wants = { wantsWords, wantsSegments, wantsSpeakers, translate };
    return upstream.run(async ({ backend, model }, options) => {
      const traits = model.audio ?? audioTraits();
      const request = { model: model.upstream, traits, audio, spans, fields, ...wants };
      const answer = await backend.transcribe(request, options);
      // What makes no sense is charged to nobody.
      toTranscribedAudio(answer, model.id, audioSeconds);
      return answer;
    });
  }

  reportedUsage({ usage }: JsonObject): MeteredUsage | null {
    return isJsonObject(usage) ? toMeteredUsage(usage) : null;
  }

  /** What was given to read, and the text that was understood. */
  async estimate(answer: JsonObject): Promise<MeteredUsage> {
    const { prompt } = this.request;
    const texts = (text: unknown): string[] => (typeof text === 'string' ? [text.trim()] : []);
    return {
      promptTokens: await countTokens(texts(prompt)),
      completionTokens: await countTokens(texts(answer.text)),
      precision: 'estimated',
    };
  }

  /** Of what was decoded here it is known. */
  heardMilliseconds(answer: JsonObject): number | undefined {
    if (!this.call.isUndecoded) return undefined;
    const seconds = heardSeconds(toTranscribedAudio(answer, ''));
    return seconds === undefined ? undefined : Math.round(seconds * 1_000);
  }

  transformAnswer(answer: JsonObject, transform: TextTransform): Promise<void> {
    return transformTranscript(answer, transform);
  }

  finish(answer: JsonObject, _callId: string, { audioMilliseconds = 0 }: MeteredUsage): JsonObject {
    return { ...answer, charged_seconds: audioMilliseconds / 1_000 };
  }
}
