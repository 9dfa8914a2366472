import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { addMedia, isMedia } from './media-parts.js';
import type { MediaContent } from './media-parts.js';

/** The text of a message: its content, or the text parts of it. */
export function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** All that a model may read of a request. */
export interface PromptContent extends MediaContent {
  /** Texts, wherever they stand; what has another form, as JSON. */
  readonly texts: string[];
  /** How many tokens are given as numbers. */
  tokens: number;
  /** Those of them that take less than three bytes of JSON. */
  shortTokens: number;
  /** Messages, items and prompts of lists. */
  messages: number;
}

/** Members whose texts stand for themselves; all others are read with their names. */
const TEXTS = words(
  'content text output arguments name refusal reasoning reasoning_content tool_calls prompt input instructions ' +
    'suffix tools functions documents chat_template',
);
/** What says of an item what it is, in one word. */
const LABELS = new Set(['role', 'type', 'status']);
const LABEL_CHARACTERS = 24;
/** What says how to answer, and is no text for the model while it is short. */
const OPTIONS = words(
  'model stream stream_options temperature top_p top_k min_p n best_of seed stop max_tokens ' +
    'max_completion_tokens max_output_tokens presence_penalty frequency_penalty repetition_penalty logprobs ' +
    'top_logprobs echo user tool_choice parallel_tool_calls reasoning reasoning_effort verbosity service_tier ' +
    'store truncation previous_response_id response_format text modalities encoding_format dimensions ' +
    'chat_template_kwargs',
);
const OPTION_CHARACTERS = 64;

/** A set of words that stand in one text. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** The texts of a request of any operation: all that the model may read, empty ones left out. */
export function promptTexts(request: JsonObject): string[] {
  return contentOf(request).texts;
}

/** What a model may read of a request of any operation. Nothing that is not known is left out. */
export function contentOf(request: JsonObject): PromptContent {
  const content = { texts: [], tokens: 0, shortTokens: 0, messages: 0, mediaParts: 0, mediaBytes: 0 };
  for (const name of Object.keys(request)) {
    const value = request[name];
    const isList = Array.isArray(value) && (name === 'messages' || name === 'input' || name === 'prompt');
    if (isList) addList(content, value);
    else addField(content, name, value);
  }
  return content;
}

/** Messages, items or prompts; or one prompt of tokens. */
function addList(content: PromptContent, list: readonly unknown[]): void {
  if (isTokens(list)) {
    addTokens(content, list);
    return;
  }
  content.messages += list.length;
  for (const entry of list) {
    if (isJsonObject(entry)) addItem(content, entry);
    else if (Array.isArray(entry) && isTokens(entry)) addTokens(content, entry);
    else if (typeof entry === 'number') addTokens(content, [entry]);
    else addText(content, entry);
  }
}

/** Whether a list of prompts is one prompt, given as tokens. */
export function isTokens(list: readonly unknown[]): boolean {
  for (const entry of list) if (typeof entry !== 'number') return false;
  return list.length > 0;
}

function addTokens(content: PromptContent, tokens: readonly unknown[]): void {
  content.tokens += tokens.length;
  let short = 0;
  // There may be a million: no text is made of one to see that it is a digit.
  for (const token of tokens as readonly number[]) if (token >= 0 && token <= 9 && Number.isInteger(token)) short += 1;
  content.shortTokens += short;
}

/** A message, an item, or a part of one. */
function addItem(content: PromptContent, item: JsonObject): void {
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (isLabel(name, value)) continue;
    if (name === 'content' || name === 'output') addParts(content, value);
    else if (isMedia(item, name)) addMedia(content, item, name);
    else addMember(content, name, value);
  }
}

function addParts(content: PromptContent, parts: unknown): void {
  if (!Array.isArray(parts)) {
    addText(content, parts);
    return;
  }
  for (const part of parts) {
    if (!isJsonObject(part)) addText(content, part);
    else if ('content' in part || 'output' in part) addText(content, part);
    else addItem(content, part);
  }
}

function addField(content: PromptContent, name: string, value: unknown): void {
  if (!isOption(name, value)) addMember(content, name, value);
}

/** Whether a member of an item says what the item is, in one word. */
export function isLabel(name: string, value: unknown): boolean {
  return LABELS.has(name) && typeof value === 'string' && value.length <= LABEL_CHARACTERS;
}

/** Whether a member of a request says how to answer, and is no text for the model. */
export function isOption(name: string, value: unknown): boolean {
  return OPTIONS.has(name) && writtenLength(value) <= OPTION_CHARACTERS;
}

/** A bound that is enough to tell what is short; only objects are written for it. */
function writtenLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0;
}

function addMember(content: PromptContent, name: string, value: unknown): void {
  if (!TEXTS.has(name)) content.texts.push(JSON.stringify(name));
  addText(content, value);
}

function addText(content: PromptContent, value: unknown): void {
  if (value === undefined || value === null || value === '') return;
  content.texts.push(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Whether a request asks to see its usage in the stream. */
export function wantsUsage(body: JsonObject): boolean {
  const [options] = objectsOf([body.stream_options]);
  return options?.include_usage === true;
}
