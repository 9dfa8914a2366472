import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { transformAnswerText } from './text-transform.js';
import type { TextFormat, TextTransform } from './text-transform.js';

/** Members of answers that hold no text of a model: ids, words of fixed lists, and vectors. All others are texts. */
const NOT_WRITTEN = new Set([
  'call_id',
  'embedding',
  'encrypted_content',
  'file_id',
  'finish_reason',
  'id',
  'incomplete_details',
  'item_id',
  'model',
  'object',
  'obfuscation',
  'previous_response_id',
  'response_id',
  'role',
  'service_tier',
  'status',
  'stop_reason',
  'system_fingerprint',
  'tool_call_id',
  'type',
  'usage',
]);
/** Members that hold a sound or an image as base64, with the types of what they stand in; undefined: of anything. */
const ENCODED: ReadonlyMap<string, string | undefined> = new Map([
  ['b64_json', undefined],
  ['partial_image_b64', undefined],
  ['file_data', undefined],
  ['result', 'image_generation_call'],
]);
/** Log probabilities tell the texts token by token as the model wrote them. */
const LOG_PROBABILITIES = new Set(['logprobs', 'top_logprobs', 'prompt_logprobs']);
const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** Whether a string member of an answer is a text that a model wrote. */
export function isWritten(name: string): boolean {
  return !NOT_WRITTEN.has(name);
}

/** What a text of an answer is written in. */
export function formatOf(name: string): TextFormat {
  return name === 'arguments' ? 'json' : 'text';
}

/** What takes the place of log probabilities; undefined where a member is anything else. */
export function withoutLogProbabilities(name: string, value: unknown): { readonly value: unknown } | undefined {
  if (!LOG_PROBABILITIES.has(name)) return undefined;
  return { value: Array.isArray(value) ? [] : null };
}

/** Whether a member of an answer is a sound, an image or a file, as base64. */
export function isEncoded(holder: JsonObject, name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  // The sound of a chat answer, beside its words.
  if (name === 'data') return 'expires_at' in holder || 'transcript' in holder || DATA_URL.test(value);
  const type = ENCODED.get(name);
  return (ENCODED.has(name) && (type === undefined || holder.type === type)) || DATA_URL.test(value);
}

/** Changes in place what a model wrote in a whole answer, or in an event that repeats a part of one. */
export async function transformAnswer(answer: JsonObject, transform: TextTransform): Promise<void> {
  for (const [name, value] of Object.entries(answer)) {
    const emptied = withoutLogProbabilities(name, value);
    answer[name] = emptied ? emptied.value : await transformWritten(answer, name, value, transform);
  }
}

async function transformWritten(
  holder: JsonObject,
  name: string,
  value: unknown,
  transform: TextTransform,
): Promise<unknown> {
  if (typeof value === 'string') {
    if (isEncoded(holder, name, value)) transform.checkUnreadable?.('output');
    else if (isWritten(name)) return transformAnswerText(transform, value, formatOf(name));
    return value;
  }
  if (!isWritten(name)) return value;
  if (Array.isArray(value)) {
    const changed: unknown[] = [];
    for (const entry of value) changed.push(await transformWritten(holder, name, entry, transform));
    return changed;
  }
  if (isJsonObject(value)) await transformAnswer(value, transform);
  return value;
}
