import { BadRequest, Conflict } from '../../errors.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Granularity } from '../transcripts/formats/openai-json.js';

const FORMATS = ['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json'] as const;
const TRANSLATION_FORMATS: readonly ResponseFormat[] = ['json', 'text', 'srt', 'vtt', 'verbose_json'];
const GRANULARITIES: readonly Granularity[] = ['word', 'segment'];
/** Such as `en` or `pt-BR`: what model servers are told. */
export const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const NUMBER = /^\d+(\.\d+)?$/;
/** What no engine gives in a form that could be passed on. */
const NOT_MADE = ['include[]', 'include', 'known_speaker_names[]', 'known_speaker_references[]'] as const;
/** Speech is cut in pauses, whatever is asked for. */
const IGNORED = new Set(['chunking_strategy', 'chunking_strategy[type]']);

/** How a transcript is written. */
export type ResponseFormat = (typeof FORMATS)[number];

/** What somebody wants to have transcribed, and how. */
export interface TranscriptionRequest {
  readonly task: 'transcribe' | 'translate';
  readonly model?: string;
  readonly language?: string;
  readonly prompt?: string;
  readonly temperature?: number;
  readonly format: ResponseFormat;
  readonly granularities: ReadonlySet<Granularity>;
  readonly isStream: boolean;
  /** Fields that are not known here. */
  readonly extra: JsonObject;
}

/**
 * Reads the fields of OpenAI's transcriptions and translations.
 * @throws BadRequest that names the field; Conflict `capability_not_supported` for what no engine gives
 */
export function readTranscriptionRequest(
  task: TranscriptionRequest['task'],
  fields: ReadonlyMap<string, string>,
): TranscriptionRequest {
  const rest = new Map(fields);
  const take = (name: string): string | undefined => {
    const value = rest.get(name);
    rest.delete(name);
    return value === '' ? undefined : value;
  };
  for (const name of NOT_MADE) {
    if (take(name) !== undefined) throw new Conflict('capability_not_supported', `${name} is not supported.`, name);
  }
  const format = oneOf(
    'response_format',
    take('response_format') ?? 'json',
    task === 'translate' ? TRANSLATION_FORMATS : FORMATS,
  );
  const isStream = oneOf('stream', take('stream') ?? 'false', ['true', 'false'] as const) === 'true';
  if (isStream && (format === 'srt' || format === 'vtt')) {
    throw new Conflict('capability_not_supported', `response_format ${format} has no stream.`, 'response_format');
  }
  const request = {
    task,
    format,
    isStream,
    granularities: readGranularities(take('timestamp_granularities[]') ?? take('timestamp_granularities'), format),
    model: take('model'),
    language: matching('language', take('language'), LANGUAGE, 'a language such as en or pt-BR'),
    prompt: take('prompt'),
    temperature: toTemperature(take('temperature')),
  };
  const extra = Object.fromEntries([...rest].filter(([name]) => !IGNORED.has(name)));
  return { ...withoutUndefined(request), extra };
}

function readGranularities(text: string | undefined, format: ResponseFormat): ReadonlySet<Granularity> {
  const name = 'timestamp_granularities[]';
  if (text === undefined) return new Set(['segment']);
  if (format !== 'verbose_json') throw new BadRequest(`${name} needs the response_format verbose_json.`, name);
  return new Set(text.split(/[\n,]/).map((value) => oneOf(name, value.trim(), GRANULARITIES)));
}

function toTemperature(text: string | undefined): number | undefined {
  const value = matching('temperature', text, NUMBER, 'a number from 0 to 1');
  if (value !== undefined && Number(value) > 1)
    throw new BadRequest('temperature must be a number from 0 to 1.', 'temperature');
  return value === undefined ? undefined : Number(value);
}

function matching(name: string, text: string | undefined, pattern: RegExp, what: string): string | undefined {
  if (text !== undefined && !pattern.test(text)) throw new BadRequest(`${name} must be ${what}.`, name);
  return text;
}

function oneOf<Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new BadRequest(`${name} must be one of ${values.join(', ')}.`, name);
  return found;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}
