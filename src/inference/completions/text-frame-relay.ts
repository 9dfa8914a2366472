import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isKept } from '../calls/answer-texts.js';
import { SLICE_CHARACTERS } from '../calls/text-transform.js';
import type { AnswerText } from '../calls/text-transform.js';
import type { TextFrames } from '../streaming/chunk-transform.js';
import { parseChunk } from '../streaming/event-frames.js';

/** Frames that differ in their text alone: what stands before it and behind it, as one-byte text. */
interface Template {
  readonly prefix: string;
  readonly suffix: string;
  /** What a client gets in their place. */
  readonly sentPrefix: string;
  readonly sentSuffix: string;
  readonly answer: AnswerText;
}

/** Frames that a block begins with. */
interface TextFrameRun {
  /** Their texts, without the escapes of JSON. */
  readonly texts: readonly string[];
  /** All of them together. */
  readonly text: string;
  /** Where each frame ends. */
  readonly ends: readonly number[];
}

const FRAME = /^data: ?(\{.*\})\n\n$/;
const CONTENT = '"content"';
const CONTENT_VALUE = /^\s*:\s*"/;
/** Characters of text that are looked through at once, at least: others have their turn in between. */
const MAX_CHARACTERS = 4_096;
/** A text that stands in JSON as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Such texts with line feeds between them, and with bytes of characters that are no ASCII. */
const UNESCAPED_LINES = /^[\n !#-[\]-\xff]*$/;
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
  private hasBegun = false;

  /**
   * @param answerOf the text of the content of a choice; undefined where it must not be relayed; told the chunk without it
   * @param toFrame a chunk as the client gets it
   */
  constructor(
    private readonly answerOf: (index: number, chunk: JsonObject) => AnswerText | undefined,
    private readonly toFrame: (chunk: JsonObject) => Buffer,
  ) {}

  relay(block: Buffer): { sent: Buffer[]; end: number } {
    const { template } = this;
    const held = template?.answer.held;
    if (!template || held === undefined || !beginsWith(block, template.prefix)) return { sent: [], end: 0 };
    const run = readFrames(block.toString('latin1'), template);
    if (run.texts.length === 0) return { sent: [], end: 0 };
    const text = held + run.text;
    const changed = template.answer.write(run.text);
    const isUnchanged = text.slice(0, changed.length) === changed;
    const sent = isUnchanged ? sendUnchanged(block, run, template, held.length, changed) : framesOf(template, changed);
    // Whoever waits sees that the answer has begun, also where all of its text is held back.
    if (sent.length === 0 && !this.hasBegun) sent.push(frameOf(template, ''));
    this.hasBegun = true;
    return { sent, end: run.ends[run.texts.length - 1] ?? 0 };
  }

  mayHave(block: Buffer): boolean {
    return block.includes(CONTENT);
  }

  learn(frame: Buffer): boolean {
    const read = readTemplate(frame);
    if (!read) return false;
    const { prefix, suffix, chunk, index } = read;
    const sent = splitAtContent(this.toFrame(chunk).toString('latin1'));
    const answer = sent && this.answerOf(index, chunk);
    this.template = sent && answer && { prefix, suffix, sentPrefix: sent[0], sentSuffix: sent[1], answer };
    return this.template !== undefined;
  }
}

/** Told before a text is made of the block: where the first frame does not fit, that would be for nothing. */
function beginsWith(block: Buffer, prefix: string): boolean {
  return block.toString('latin1', 0, prefix.length) === prefix;
}

/** The frames that a block begins with and that fit the template. */
function readFrames(bytes: string, { prefix, suffix }: Template): TextFrameRun {
  const written: string[] = [];
  const ends: number[] = [];
  let characters = 0;
  for (let start = 0; characters < MAX_CHARACTERS;) {
    const textStart = start + prefix.length;
    // Slices are compared several times as fast as `startsWith` does it.
    if (bytes.slice(start, textStart) !== prefix) break;
    const textEnd = endOfText(bytes, textStart);
    const end = textEnd + suffix.length;
    if (textEnd < 0 || bytes.slice(textEnd, end) !== suffix) break;
    // A long one is changed in slices, which the transform of chunks does.
    if (textEnd - textStart > SLICE_CHARACTERS) break;
    written.push(bytes.slice(textStart, textEnd));
    ends.push(end);
    characters += textEnd - textStart;
    start = end;
  }
  const joined = written.join('');
  if (PLAIN.test(joined)) return { texts: written, text: joined, ends };
  const texts = unescapedTexts(written);
  return { texts, text: texts.join(''), ends };
}

/** The texts that bytes of JSON stand for, up to the first that stand for none. */
function unescapedTexts(written: readonly string[]): readonly string[] {
  // At once, since most texts that are not plain are of another language, and have no escapes.
  const lines = written.join('\n');
  const read = UNESCAPED_LINES.test(lines) ? Buffer.from(lines, 'latin1').toString('utf8').split('\n') : [];
  // A line feed that is not escaped is no JSON.
  if (read.length === written.length) return read;
  const texts: string[] = [];
  for (const bytes of written) {
    const text = unescaped(bytes);
    if (text === undefined) break;
    texts.push(text);
  }
  return texts;
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
function sendUnchanged(
  block: Buffer,
  { texts, ends }: TextFrameRun,
  template: Template,
  heldLength: number,
  changed: string,
): Buffer[] {
  let left = changed.length - heldLength;
  let count = 0;
  for (let next = texts[0]; next !== undefined && next.length <= left; next = texts[count]) {
    left -= next.length;
    count += 1;
  }
  const isSame = template.sentPrefix === template.prefix && template.sentSuffix === template.suffix;
  const begun = texts[count]?.slice(0, Math.max(left, 0)) ?? '';
  return [
    ...framesOf(template, changed.slice(0, heldLength)),
    ...(isSame && count > 0
      ? [block.subarray(0, ends[count - 1])]
      : texts.slice(0, count).map((text) => frameOf(template, text))),
    ...framesOf(template, begun),
  ];
}

/** A frame with a text; none where that is empty. */
function framesOf(template: Template, text: string): Buffer[] {
  return text === '' ? [] : [frameOf(template, text)];
}

function frameOf({ sentPrefix, sentSuffix }: Template, text: string): Buffer {
  const json = PLAIN.test(text) ? text : Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1');
  return Buffer.from(sentPrefix + json + sentSuffix, 'latin1');
}

/** What frames like this one have in common, and the chunk without its text; undefined where more may change. */
function readTemplate(frame: Buffer) {
  const bytes = frame.toString('latin1');
  const sides = splitAtContent(bytes);
  const json = sides && FRAME.exec(Buffer.from(`${sides[0]}${sides[1]}`, 'latin1').toString('utf8'))?.[1];
  const chunk = json === undefined ? undefined : parseChunk(json);
  if (!sides || !chunk) return undefined;
  const { choices, ...members } = chunk;
  const isKnown = Object.entries(members).every(([name, value]) => CHUNK_NAMES.has(name) && isKept(name, value));
  const [choice] = Array.isArray(choices) && choices.length === 1 ? objectsOf(choices) : [];
  if (!choice || !isKnown || (chunk.usage ?? null) !== null) return undefined;
  const { index, delta, finish_reason: reason = null, logprobs = null } = choice;
  const isPlain = reason === null && logprobs === null && Object.keys(choice).every((name) => CHOICE_NAMES.has(name));
  const isContent = isJsonObject(delta) && delta.content === '' && Object.keys(delta).length === 1;
  if (!isPlain || typeof index !== 'number' || !isContent) return undefined;
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
