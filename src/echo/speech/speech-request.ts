import { BadRequest, Conflict, PayloadTooLarge } from '../../errors.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { AudioFormat } from '../../platform/audio/audio.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** The longest text, in UTF-16 units. */
const CHARACTERS = 100_000;
/** Of what else is passed to a model server, as JSON. */
const EXTRA_BYTES = 16 * 1024;
const FORMATS: ReadonlySet<string> = new Set<AudioFormat>(['wav', 'pcm', 'mp3', 'opus', 'flac']);
/** What the rest of a body passes to the model server. */
const OWN_FIELDS = new Set(['model', 'input', 'voice', 'speed', 'response_format', 'stream_format']);

const checkBody = compileBodySchema(new URL('../../../schema/rest/echo/speech.schema.json', import.meta.url));

/** What is to be spoken, and how it is written. */
export interface SpeechOrder {
  readonly model: string | undefined;
  readonly input: string;
  readonly voice: string | undefined;
  readonly speed: number | undefined;
  readonly format: AudioFormat;
  /** What else the caller sent. */
  readonly extra: JsonObject;
}

/**
 * Reads the body of a request for speech.
 * @param formats that this machine writes
 * @throws BadRequest that names the field, PayloadTooLarge, Conflict `capability_not_supported` for a format
 */
export function readSpeechOrder(body: unknown, formats: readonly AudioFormat[]): SpeechOrder {
  checkBody(body);
  const { model, input, voice, speed, response_format: format } = body as SpeechBody;
  if (input.length > CHARACTERS) throw new PayloadTooLarge(CHARACTERS, 'input', 'characters');
  if (input.trim() === '') throw new BadRequest('input must have a text.', 'input');
  const extra = Object.fromEntries(Object.entries(body as JsonObject).filter(([name]) => !OWN_FIELDS.has(name)));
  if (Buffer.byteLength(JSON.stringify(extra)) > EXTRA_BYTES)
    throw new PayloadTooLarge(EXTRA_BYTES, 'What is passed to the model server');
  return {
    model: model ?? undefined,
    input: input.toWellFormed(),
    voice: (typeof voice === 'object' ? voice?.id : voice) ?? undefined,
    speed: speed ?? undefined,
    format: chooseFormat(format ?? undefined, formats),
    extra,
  };
}

interface SpeechBody {
  readonly model?: string | null;
  readonly input: string;
  readonly voice?: string | { readonly id: string } | null;
  readonly speed?: number | null;
  readonly response_format?: string | null;
}

/** MP3 where the machine can make it, else WAV, where none is asked for. */
function chooseFormat(asked: string | undefined, formats: readonly AudioFormat[]): AudioFormat {
  if (asked === undefined) return formats.includes('mp3') ? 'mp3' : 'wav';
  if (FORMATS.has(asked) && formats.includes(asked as AudioFormat)) return asked as AudioFormat;
  const message = `response_format ${asked} cannot be written on this machine; ${formats.join(', ')} can.`;
  throw new Conflict('capability_not_supported', message, 'response_format');
}
