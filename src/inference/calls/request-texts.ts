import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { headOfDataUrl, isBase64, isLongBase64, readablePart } from './encoded-texts.js';
import { transformNumber } from './known-names.js';
import { isMedia, payloadMember } from './media-parts.js';
import { MemberNames } from './member-names.js';
import { isTokens } from './prompt.js';
import type { TextFormat, TextTransform } from './text-transform.js';

/** What changes the texts that a model reads. */
export type PromptTransform = Pick<TextTransform, 'checkUnreadable' | 'transformPrompt'>;

/** Options that hold no text of anybody's where they have their form: a model's name, ids of ours, words. */
const KEPT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['model', /^/],
  ['previous_response_id', /^resp_[A-Za-z0-9_-]{44}$/],
  ['encoding_format', /^(float|base64)$/],
]);
/** Options whose numbers may be large, and are nobody's. */
const NUMBER_OPTIONS = new Set(
  (
    'created max_completion_tokens max_new_tokens max_output_tokens max_tokens min_tokens n_predict num_ctx ' +
    'num_predict seed thinking_budget top_k truncate_prompt_tokens'
  ).split(' '),
);
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
/** What is a file, an image or vectors, whatever is in it; the address of one is a text. */
const FILES = new Set(['file_data', 'image_embeds', 'audio_embeds', 'prompt_embeds']);
/** Where a list of numbers is a prompt. */
const PROMPTS = new Set(['prompt', 'input']);
const TOKENS = new Set(['prompt_token_ids', 'input_ids', 'token_ids']);

/**
 * A request whose texts a model reads as the transform has them, at whatever place they stand; the request itself stays.
 * @param signal ends the work where nobody waits for the answer any more
 * @throws PlatformError of the transform; the reason of the signal
 */
export function transformRequest(
  request: JsonObject,
  transform: PromptTransform,
  signal?: AbortSignal,
): Promise<JsonObject> {
  return new RequestTexts(transform, new CooperativeYield(signal)).transformOptions(request);
}

/** The texts of one request. One after another: a transform that counts what it finds counts in the order of the request. */
class RequestTexts {
  constructor(
    private readonly transform: PromptTransform,
    private readonly cooperation: CooperativeYield,
  ) {}

  async transformOptions(request: JsonObject): Promise<JsonObject> {
    const changed: [string, unknown][] = [];
    const names = new MemberNames(request, this);
    for (const [name, value] of Object.entries(request)) {
      const isKept =
        typeof value === 'string' ? KEPT_OPTIONS.get(name)?.test(value) : NUMBER_OPTIONS.has(name) && isNumber(value);
      const named = names.transform(name);
      const changedName = typeof named === 'string' ? named : await named;
      if (isKept) changed.push([changedName, value]);
      else if (PROMPTS.has(name) && Array.isArray(value))
        changed.push([changedName, await this.transformPrompts(value)]);
      else changed.push([changedName, await this.transformMember(name, value, request)]);
    }
    return Object.fromEntries(changed);
  }

  /** @param holder what the member belongs to */
  private transformMember(name: string, value: unknown, holder: JsonObject): unknown {
    if (typeof value === 'string') {
      if (OPAQUE.has(name) || (WORDS.has(name) && WORD.test(value))) return value;
      if (isData(holder, name)) return this.transformEncoded(value);
    }
    if (TOKENS.has(name) && Array.isArray(value)) return this.transformPrompts(value);
    if (FILES.has(name) || (name === 'images' && Array.isArray(value))) return this.transformFile(value);
    if (isMedia(holder, name)) return this.transformMedia(name, value, holder);
    const format = name === 'arguments' ? 'json' : 'text';
    // Most are texts, which are mostly short: nothing is waited for.
    return typeof value === 'string' ? this.transformString(value, format) : this.transformValue(value, format);
  }

  /** Prompts, inputs or items; a number is a token of a prompt, and so are those of a list. */
  private async transformPrompts(prompts: readonly unknown[]): Promise<unknown[]> {
    const hasTokens = (entry: unknown): boolean => isNumber(entry) || (Array.isArray(entry) && isTokenList(entry));
    if (prompts.some(hasTokens)) this.transform.checkUnreadable?.('input');
    const changed: unknown[] = [];
    for (const entry of prompts) changed.push(hasTokens(entry) ? entry : await this.transformValue(entry, 'text'));
    return changed;
  }

  /** A medium: its base64 stays as it is; an address that is fetched is a text, and so is what stands beside. */
  private async transformMedia(name: string, value: unknown, holder: JsonObject): Promise<unknown> {
    this.transform.checkUnreadable?.('input');
    const payload = payloadMember(holder, name);
    if (payload === undefined) return this.transformValue(value, 'text');
    if (!isJsonObject(value)) return this.transformEncoded(String(value));
    const changed: [string, unknown][] = [];
    const names = new MemberNames(value, this);
    for (const [member, entry] of Object.entries(value)) {
      const isPayload = member === payload;
      changed.push([
        await names.transform(member),
        isPayload ? await this.transformEncoded(String(entry)) : await this.transformMember(member, entry, value),
      ]);
    }
    return Object.fromEntries(changed);
  }

  /** A file or vectors, or a list of them. */
  private async transformFile(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return this.transformEncoded(value);
    if (!Array.isArray(value)) return this.transformValue(value, 'text');
    const changed: unknown[] = [];
    for (const entry of value) changed.push(await this.transformFile(entry));
    return changed;
  }

  /** A text that stands where base64 belongs. */
  private async transformEncoded(value: string): Promise<unknown> {
    if (value === '') return value;
    this.transform.checkUnreadable?.('input');
    const isEncoded = headOfDataUrl(value) !== undefined || isBase64(value);
    return isEncoded ? this.transformReadable(value, 'text') : this.transformText(value, 'text');
  }

  private async transformValue(value: unknown, format: TextFormat): Promise<unknown> {
    if (this.cooperation.isDue) await this.cooperation.yield();
    if (typeof value === 'string') return this.transformString(value, format);
    if (typeof value === 'number') return transformNumber(value, this);
    if (Array.isArray(value)) {
      const changed: unknown[] = [];
      for (const entry of value) changed.push(await this.transformValue(entry, format));
      return changed;
    }
    if (!isJsonObject(value)) return value;
    const changed: [string, unknown][] = [];
    const names = new MemberNames(value, this);
    for (const [name, member] of Object.entries(value)) {
      const named = names.transform(name);
      const changedName = typeof named === 'string' ? named : await named;
      const changedMember = this.transformMember(name, member, value);
      changed.push([changedName, changedMember instanceof Promise ? await changedMember : changedMember]);
    }
    return Object.fromEntries(changed);
  }

  private transformString(value: string, format: TextFormat): string | Promise<string> {
    const head = headOfDataUrl(value);
    // Other base64 may be a text all the same, and is read as one where it passes.
    if (head !== undefined || isLongBase64(value)) this.transform.checkUnreadable?.('input');
    return head === undefined ? this.transformText(value, format) : this.transformReadable(value, format);
  }

  /** What base64 becomes, with the head of a data URL before it where there is one: what cannot be read of it stays. */
  private async transformReadable(encoded: string, format: TextFormat): Promise<string> {
    const read = readablePart(encoded);
    return (await this.transformText(read, format)) + encoded.slice(read.length);
  }

  transformText(text: string, format: TextFormat): string | Promise<string> {
    return text === '' ? text : this.transform.transformPrompt(text, format);
  }
}

/** Whether a member is what a source of base64 has: `{type: 'base64', data}`. */
function isData(holder: JsonObject, name: string): boolean {
  return name === 'data' && holder.type === 'base64';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isTokenList(list: readonly unknown[]): boolean {
  return list.length > 0 && isTokens(list);
}
