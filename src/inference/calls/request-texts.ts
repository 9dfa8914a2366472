import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { hasPayload, isMedia } from './media-parts.js';
import { isTokens } from './prompt.js';
import type { TextFormat, TextTransform } from './text-transform.js';

/** Options that hold no text of anybody's: names of this interface, ids of ours, and words of a fixed list. */
const KEPT_OPTIONS = new Set(['model', 'previous_response_id', 'encoding_format']);
/** Members whose value is a word of a fixed list wherever they stand, unless it looks like anything else. */
const WORDS = new Set([
  'detail',
  'effort',
  'format',
  'mode',
  'modalities',
  'reasoning_effort',
  'role',
  'service_tier',
  'status',
  'summary',
  'tool_choice',
  'truncation',
  'type',
  'verbosity',
]);
const WORD = /^[a-z_]{1,24}$/;
/** What a provider has encrypted for itself; changed it is worth nothing, and nobody else can read it. */
const OPAQUE = new Set(['encrypted_content']);
/** What is a file, whatever is in it. */
const FILES = new Set(['file_data']);
const DATA_URL = /^data:[^,]{0,200};base64,/i;
/** Names that these interfaces and JSON Schema have: no private ones. */
const KNOWN_NAMES = new Set(
  (
    'additionalProperties allOf annotations anyOf arguments call_id chat_template const content data default ' +
    'definitions description documents effort encrypted_content enum examples file file_data file_id file_url ' +
    'filename format function functions id image_url include_usage input input_audio instructions items json_schema ' +
    'logprobs max maximum maxItems maxLength messages min minimum minItems minLength name not object oneOf output ' +
    'parameters pattern properties reasoning reasoning_content refusal required role schema status strict suffix ' +
    'summary text title tool_call_id tool_calls tools type url'
  ).split(' '),
);
/** Where a list of numbers is a prompt. */
const PROMPTS = new Set(['prompt', 'input']);
/** Shorter numbers are no phone, no card, and nobody's. */
const SMALLEST_TEXT_NUMBER = 1_000_000;

/** A request whose texts a model reads as the transform has them, at whatever place they stand; the request itself stays. */
export async function transformRequest(request: JsonObject, transform: TextTransform): Promise<JsonObject> {
  const changed: [string, unknown][] = [];
  // One after another: a transform that counts what it finds must count in the order of the request.
  for (const [name, value] of Object.entries(request)) {
    if (KEPT_OPTIONS.has(name) || typeof value === 'number') changed.push([name, value]);
    else if (PROMPTS.has(name) && Array.isArray(value)) changed.push([name, await transformPrompts(value, transform)]);
    else changed.push([name, await transformMember(name, value, request, transform)]);
  }
  return Object.fromEntries(changed);
}

/** Prompts, inputs or items; a number is a token of a prompt, and so are those of a list. */
async function transformPrompts(prompts: readonly unknown[], transform: TextTransform): Promise<unknown[]> {
  const hasTokens = (entry: unknown): boolean =>
    typeof entry === 'number' || (Array.isArray(entry) && entry.length > 0 && isTokens(entry));
  if (prompts.some(hasTokens)) transform.checkUnreadable?.('input');
  const changed: unknown[] = [];
  for (const entry of prompts) {
    changed.push(hasTokens(entry) ? entry : await transformValue(entry, transform, 'text'));
  }
  return changed;
}

/** @param holder what the member belongs to */
async function transformMember(
  name: string,
  value: unknown,
  holder: JsonObject,
  transform: TextTransform,
): Promise<unknown> {
  if (OPAQUE.has(name)) return value;
  if (WORDS.has(name) && typeof value === 'string' && WORD.test(value)) return value;
  if (isMedia(holder, name)) {
    transform.checkUnreadable?.('input');
    // An address that the model server fetches is a text like others.
    if (hasPayload(holder, name)) return value;
  } else if (typeof value === 'string' && (FILES.has(name) || DATA_URL.test(value))) {
    transform.checkUnreadable?.('input');
    return value;
  }
  return transformValue(value, transform, name === 'arguments' ? 'json' : 'text');
}

async function transformValue(value: unknown, transform: TextTransform, format: TextFormat): Promise<unknown> {
  if (typeof value === 'string') return transformText(value, transform, format);
  if (typeof value === 'number') return transformNumber(value, transform);
  if (Array.isArray(value)) {
    const changed: unknown[] = [];
    for (const entry of value) changed.push(await transformValue(entry, transform, format));
    return changed;
  }
  if (!isJsonObject(value)) return value;
  const changed: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const changedName = KNOWN_NAMES.has(name) ? name : await transformText(name, transform, 'text');
    changed.push([changedName, await transformMember(name, member, value, transform)]);
  }
  return Object.fromEntries(changed);
}

/** A number that could be somebody's phone or card, in place of which the model reads a text. */
async function transformNumber(value: number, transform: TextTransform): Promise<number | string> {
  if (Math.abs(value) < SMALLEST_TEXT_NUMBER) return value;
  const text = String(value);
  const changed = await transformText(text, transform, 'text');
  return changed === text ? value : changed;
}

function transformText(text: string, transform: TextTransform, format: TextFormat): string | Promise<string> {
  return text === '' ? text : transform.transformPrompt(text, format);
}
