import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { LONGEST_READ, headOfDataUrl, isBase64 } from './encoded-texts.js';
import type { TextFormat } from './text-transform.js';

/** What ids look like, those included that servers seal as base64. */
const ID = /^[\w.:/|+=~-]{0,1024}$/;
/** What the types of objects and events look like. */
const TYPE = /^([a-z][\w.-]{0,99})?$/i;
/** Members of answers that are ids, types and names of models: kept where they are strings of their form. */
const IDS: ReadonlyMap<string, RegExp> = new Map([
  ['call_id', ID],
  ['encrypted_content', /^/],
  ['file_id', ID],
  ['id', ID],
  ['item_id', ID],
  ['model', /^/],
  ['object', TYPE],
  ['obfuscation', ID],
  ['previous_response_id', ID],
  ['response_id', ID],
  ['system_fingerprint', ID],
  ['tool_call_id', ID],
  ['type', TYPE],
]);
/** Members of answers that are a word of a fixed list, unless they look like anything else. */
const WORDS = new Set(['finish_reason', 'role', 'service_tier', 'status', 'stop_reason']);
const WORD = /^[a-z][a-z_-]{0,31}$/i;
/** What the names of what model servers count look like. */
const COUNTED_NAME = /^[a-z_]{1,64}$/;
/** Numbers that model servers count, or times; in others there may be somebody's phone. */
const COUNTED = new Set(
  (
    'completed_at content_index created created_at end_index eval_duration expires_at index load_duration ' +
    'output_index prompt_eval_duration seed sequence_number start_index summary_index total_duration'
  ).split(' '),
);
const POSITION = /^\d{1,6}$/;
/** Members that hold a sound, an image or a file as base64. */
const ENCODED = new Set(['b64_json', 'file_data', 'images', 'partial_image_b64']);
/** Members of an item or of an event of sounds that may hold one as base64, or a text. */
const MAYBE_ENCODED = new Set(['data', 'image', 'result']);
/** Log probabilities tell the texts token by token as the model wrote them. */
const LOG_PROBABILITIES = new Set(['completion_probabilities', 'logprobs', 'prompt_logprobs', 'top_logprobs']);

/**
 * Whether a member of an answer is none that a model wrote: an id, a word of a fixed list, a number that was counted.
 * @param path of the member, or of what it belongs to
 */
export function isKept(name: string, value: unknown, path: readonly unknown[] = []): boolean {
  if (name === 'usage' && isCounted(value)) return true;
  if (name === 'embedding' && (isCounted(value) || isVector(value))) return true;
  if (typeof value === 'number') return COUNTED.has(name) || path.includes('usage');
  if (typeof value !== 'string') return value === null || typeof value === 'boolean';
  const form = IDS.get(name);
  if (form) return form.test(value);
  return (WORDS.has(name) && WORD.test(value)) || (name === 'index' && POSITION.test(value));
}

/** Whether a value has numbers and the like alone, at whatever depth, and no names that could tell anything. */
function isCounted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isCounted);
  if (!isJsonObject(value)) return typeof value !== 'string';
  return Object.entries(value).every(([name, member]) => COUNTED_NAME.test(name) && isCounted(member));
}

/** Whether a value is a vector as base64; what is shorter may be a word or a number. */
function isVector(value: unknown): boolean {
  return typeof value === 'string' && value.length > LONGEST_READ && isBase64(value);
}

/** Whether a member of an answer is an id or the like, which servers write whole. */
export function isId(name: string): boolean {
  return IDS.has(name);
}

/** What a text of an answer is written in. */
export function formatOf(name: string): TextFormat {
  return name === 'arguments' ? 'json' : 'text';
}

/** Whether a member of an answer holds log probabilities, which are left out: they tell its texts again. */
export function isLogProbabilities(name: string): boolean {
  return LOG_PROBABILITIES.has(name);
}

/**
 * Whether a text of an answer is a sound, an image or a file and nothing else, as base64, in a member that is for these.
 * @param path of the holder
 */
export function isEncodedMedium(holder: JsonObject, name: string, value: string, path: readonly unknown[]): boolean {
  const isSound = name === 'data' && path.at(-1) === 'audio';
  const mayBe = isSound || ENCODED.has(name) || (MAYBE_ENCODED.has(name) && isOfMedia(holder, name));
  return mayBe && (isBase64(value) || headOfDataUrl(value) !== undefined);
}

/** Whether a member stands where interfaces put media: that of a chat answer stands beside its words, or under `audio`. */
function isOfMedia(holder: JsonObject, name: string): boolean {
  const type = textOr(holder.type, '');
  if (name === 'data') return 'expires_at' in holder || 'transcript' in holder || type.includes('audio');
  return type.endsWith('_call');
}
