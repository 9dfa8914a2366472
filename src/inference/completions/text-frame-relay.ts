import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isKept } from '../calls/answer-texts.js';
import type { AnswerText } from '../calls/text-transform.js';
import type { TextFrames } from '../streaming/chunk-transform.js';

/** Frames that differ in their text alone: what stands before it and behind it, as one-byte text. */
interface Template {
  readonly prefix: string;
  readonly suffix: string;
  /** The same as the client gets it. */
  readonly sentPrefix: string;
  readonly sentSuffix: string;
  readonly answer: AnswerText;
}

interface TextFrame {
  readonly start: number;
  readonly end: number;
  /** The text, as it is without the escapes of JSON. */
  readonly text: string;
}

const NOTHING = Buffer.alloc(0);
const FRAME = /^data: ?(\{.*\})\n\n$/s;
const CONTENT = '"content"';
const CONTENT_VALUE = /^\s*:\s*"/;
/** Characters of text that are looked through at once, at least: others have their turn in between. */
const MAX_CHARACTERS = 4_096;
/** A text that stands in JSON as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** What a chunk may have whose text alone will change; anything else is transformed. */
const CHUNK_NAMES = new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'usage']);
const CHOICE_NAMES = new Set(['index', 'delta', 'finish_reason', 'logprobs']);

/**
 * Passes frames of a chat stream on without parsing them, as long as each differs from the one before in its text alone:
 * most streams are hundreds of such frames. Their texts go through the transform of the answer; where that leaves them
 * as they are, so are the frames.
 */
export class TextFrameRelay implements TextFrames {
  private template: Template | undefined;

  /**
   * @param answerOf the text of the content of a choice; undefined where that has ended
   * @param toFrame a chunk as the client gets it
   */
  constructor(
    private readonly answerOf: (index: number) => AnswerText | undefined,
    private readonly toFrame: (chunk: JsonObject) => Buffer,
  ) {}

  relay(block: Buffer): { sent: Buffer; end: number } {
    const { template } = this;
    const held = template?.answer.held;
    if (!template || held === undefined) return { sent: NOTHING, end: 0 };
    const bytes = block.toString('latin1');
    const frames = readFrames(bytes, template);
    const last = frames.at(-1);
    if (!last) return { sent: NOTHING, end: 0 };
    const written = frames.map(({ text }) => text).join('');
    const changed = template.answer.write(written);
    const sent = (held + written).startsWith(changed)
      ? unchanged(bytes, frames, template, held.length, changed)
      : textFrame(template, changed);
    return { sent: Buffer.from(sent, 'latin1'), end: last.end };
  }

  learn(frame: Buffer): void {
    const read = readTemplate(frame);
    if (!read) return;
    const { prefix, suffix, chunk, index } = read;
    const sent = splitAtContent(this.toFrame(chunk).toString('latin1'));
    const answer = sent && this.answerOf(index);
    this.template = sent && answer && { prefix, suffix, sentPrefix: sent[0], sentSuffix: sent[1], answer };
  }
}

/** The frames that a block begins with and that fit the template. */
function readFrames(bytes: string, { prefix, suffix }: Template): TextFrame[] {
  const frames: TextFrame[] = [];
  let characters = 0;
  for (let start = 0; characters < MAX_CHARACTERS && bytes.startsWith(prefix, start); ) {
    const textStart = start + prefix.length;
    const textEnd = endOfText(bytes, textStart);
    if (textEnd < 0 || !bytes.startsWith(suffix, textEnd)) break;
    const text = unescaped(bytes.slice(textStart, textEnd));
    if (text === undefined) break;
    const end = textEnd + suffix.length;
    frames.push({ start, end, text });
    characters += text.length;
    start = end;
  }
  return frames;
}

/** Where the quote is that ends a text; negative: nowhere. */
function endOfText(bytes: string, start: number): number {
  let end = bytes.indexOf('"', start);
  while (end > start && isEscaped(bytes, start, end)) end = bytes.indexOf('"', end + 1);
  return end;
}

function isEscaped(bytes: string, start: number, quote: number): boolean {
  let backslashes = 0;
  while (quote - 1 - backslashes >= start && bytes[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** The text that bytes of JSON stand for; undefined where they stand for none. */
function unescaped(bytes: string): string | undefined {
  if (PLAIN.test(bytes)) return bytes;
  try {
    return JSON.parse(`"${Buffer.from(bytes, 'latin1').toString('utf8')}"`) as string;
  } catch {
    return undefined;
  }
}

/** Frames whose texts are as they came: what was held back before them goes out first, what is held back stays. */
function unchanged(
  bytes: string,
  frames: readonly TextFrame[],
  template: Template,
  heldLength: number,
  changed: string,
): string {
  let sent = heldLength === 0 ? '' : textFrame(template, changed.slice(0, heldLength));
  let left = changed.length - heldLength;
  const isSame = template.sentPrefix === template.prefix && template.sentSuffix === template.suffix;
  for (const { start, end, text } of frames) {
    if (left < text.length) return sent + textFrame(template, text.slice(0, Math.max(left, 0)));
    sent += isSame ? bytes.slice(start, end) : textFrame(template, text);
    left -= text.length;
  }
  return sent;
}

/** A frame with a text, as one-byte text; empty where there is none. */
function textFrame({ sentPrefix, sentSuffix }: Template, text: string): string {
  if (text === '') return '';
  const json = PLAIN.test(text) ? text : Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1');
  return sentPrefix + json + sentSuffix;
}

/** What frames like this one have in common, and the chunk without its text; undefined where more may change. */
function readTemplate(frame: Buffer) {
  const bytes = frame.toString('latin1');
  const sides = splitAtContent(bytes);
  const json = sides && FRAME.exec(Buffer.from(`${sides[0]}${sides[1]}`, 'latin1').toString('utf8'))?.[1];
  const chunk = json === undefined ? undefined : parse(json);
  if (!sides || !chunk) return undefined;
  const { choices, ...members } = chunk;
  const isKnown = Object.entries(members).every(([name, value]) => CHUNK_NAMES.has(name) && isKept(name, value));
  const [choice] = Array.isArray(choices) && choices.length === 1 ? objectsOf(choices) : [];
  if (!choice || !isKnown || (chunk.usage ?? null) !== null) return undefined;
  const { index, delta, finish_reason: reason = null, logprobs = null } = choice;
  const isPlain = reason === null && logprobs === null && Object.keys(choice).every((name) => CHOICE_NAMES.has(name));
  if (!isPlain || typeof index !== 'number' || !isDeepStrictEqual(delta, { content: '' })) return undefined;
  return { prefix: sides[0], suffix: sides[1], chunk, index };
}

/** What stands before the content of a frame, and behind it; undefined where there is not exactly one. */
function splitAtContent(bytes: string): [prefix: string, suffix: string] | undefined {
  const at = bytes.indexOf(CONTENT);
  if (at < 0) return undefined;
  const value = CONTENT_VALUE.exec(bytes.slice(at + CONTENT.length, at + CONTENT.length + 16));
  if (!value) return undefined;
  const start = at + CONTENT.length + value[0].length;
  const end = endOfText(bytes, start);
  return end < 0 || bytes.includes(CONTENT, end) ? undefined : [bytes.slice(0, start), bytes.slice(end)];
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
