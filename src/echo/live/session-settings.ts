import { BadRequest, Conflict } from '../../errors.js';
import { isJsonObject, memberOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { LANGUAGE } from '../transcriptions/transcription-request.js';
import { DEFAULT_FORMAT } from './live-format.js';
import type { LiveFormat } from './live-format.js';
import { DEFAULT_DETECTION } from './turn-detector.js';
import type { TurnDetection } from './turn-detector.js';

/** What a client has said of its session. */
export interface SessionSettings {
  readonly format: LiveFormat;
  readonly model: string | undefined;
  readonly language: string | undefined;
  readonly prompt: string | undefined;
  /** Null: the client commits. */
  readonly detection: TurnDetection | null;
}

const TEXT_CHARACTERS = 4_096;
const BETA_FORMATS: Readonly<Record<string, LiveFormat>> = {
  pcm16: DEFAULT_FORMAT,
  g711_ulaw: { encoding: 'mulaw', rate: 8_000 },
  g711_alaw: { encoding: 'alaw', rate: 8_000 },
};

/** The settings of a session that has said nothing. @param model of its address */
export function initialSettings(model: string | undefined): SessionSettings {
  return { format: DEFAULT_FORMAT, model, language: undefined, prompt: undefined, detection: DEFAULT_DETECTION };
}

/**
 * The settings with what an update says; what it does not name stays.
 * @param session of `session.update`, or of `transcription_session.update` as clients of the beta send it
 * @throws BadRequest that names the field, Conflict `capability_not_supported`
 */
export function updatedSettings(before: SessionSettings, session: unknown): SessionSettings {
  if (!isJsonObject(session)) throw new BadRequest('session must be an object.', 'session');
  const { type } = session;
  if (type !== undefined && type !== 'transcription')
    throw new Conflict(
      'capability_not_supported',
      'A session of type transcription is all that there is.',
      'session.type',
    );
  const audio = objectAt(session, 'audio', 'session.audio');
  const input = audio ? (objectAt(audio, 'input', 'session.audio.input') ?? {}) : betaInput(session);
  const name = 'session.audio.input';
  const transcription = objectAt(input, 'transcription', `${name}.transcription`) ?? {};
  return {
    format: 'format' in input ? readFormat(input['format'], `${name}.format`) : before.format,
    model: textAt(transcription, 'model', `${name}.transcription`) ?? before.model,
    language: languageAt(transcription, `${name}.transcription`) ?? before.language,
    prompt: textAt(transcription, 'prompt', `${name}.transcription`) ?? before.prompt,
    detection:
      'turn_detection' in input ? readDetection(input['turn_detection'], `${name}.turn_detection`) : before.detection,
  };
}

/** The session as the server tells of it. */
export function toSession(id: string, { format, model, language, prompt, detection }: SessionSettings): JsonObject {
  const type = { pcm: 'audio/pcm', mulaw: 'audio/pcmu', alaw: 'audio/pcma' }[format.encoding];
  return {
    id,
    object: 'realtime.transcription_session',
    type: 'transcription',
    audio: {
      input: {
        format: format.encoding === 'pcm' ? { type, rate: format.rate } : { type },
        transcription: { model: model ?? null, language: language ?? null, prompt: prompt ?? '' },
        noise_reduction: null,
        turn_detection: detection && {
          type: 'server_vad',
          threshold: detection.threshold,
          prefix_padding_ms: detection.prefixMs,
          silence_duration_ms: detection.silenceMs,
        },
      },
    },
  };
}

function betaInput(session: JsonObject): JsonObject {
  const names = {
    input_audio_format: 'format',
    input_audio_transcription: 'transcription',
    turn_detection: 'turn_detection',
  };
  const found = Object.entries(names).filter(([name]) => name in session);
  return Object.fromEntries(found.map(([name, member]) => [member, session[name]]));
}

function readFormat(value: unknown, name: string): LiveFormat {
  if (typeof value === 'string') {
    const known = memberOf(BETA_FORMATS as JsonObject, value);
    if (known) return known as LiveFormat;
  }
  const { type, rate = 24_000 } = isJsonObject(value) ? value : {};
  if (type === 'audio/pcmu') return { encoding: 'mulaw', rate: 8_000 };
  if (type === 'audio/pcma') return { encoding: 'alaw', rate: 8_000 };
  if (type === 'audio/pcm' && (rate === 16_000 || rate === 24_000)) return { encoding: 'pcm', rate };
  throw new BadRequest(`${name} must be audio/pcm of 16000 or 24000 Hz, audio/pcmu or audio/pcma.`, name);
}

function readDetection(value: unknown, name: string): TurnDetection | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw new BadRequest(`${name} must be an object or null.`, name);
  if (value['type'] !== undefined && value['type'] !== 'server_vad')
    throw new Conflict('capability_not_supported', `${name}.type must be server_vad.`, `${name}.type`);
  return {
    threshold: numberAt(value, 'threshold', name, [0, 1]) ?? DEFAULT_DETECTION.threshold,
    prefixMs: numberAt(value, 'prefix_padding_ms', name, [0, 2_000]) ?? DEFAULT_DETECTION.prefixMs,
    silenceMs: numberAt(value, 'silence_duration_ms', name, [100, 5_000]) ?? DEFAULT_DETECTION.silenceMs,
  };
}

function objectAt(parent: JsonObject, member: string, name: string): JsonObject | undefined {
  const value = memberOf(parent, member);
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new BadRequest(`${name} must be an object.`, name);
  return value;
}

function textAt(parent: JsonObject, member: string, name: string): string | undefined {
  const value = memberOf(parent, member);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && value.length <= TEXT_CHARACTERS) return value;
  throw new BadRequest(
    `${name}.${member} must be a text of at most ${TEXT_CHARACTERS} characters.`,
    `${name}.${member}`,
  );
}

function languageAt(parent: JsonObject, name: string): string | undefined {
  const language = textAt(parent, 'language', name);
  if (language === undefined || LANGUAGE.test(language)) return language;
  throw new BadRequest(`${name}.language must be a language such as en or pt-BR.`, `${name}.language`);
}

function numberAt(
  parent: JsonObject,
  member: string,
  name: string,
  [least, most]: [number, number],
): number | undefined {
  const value = memberOf(parent, member);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new BadRequest(`${name}.${member} must be a number from ${least} to ${most}.`, `${name}.${member}`);
}
