import { BadUpstream } from '../../errors.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, objectsOf, setMember } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { AnswerPieces, indexOf } from '../calls/answer-pieces.js';
import { isKept } from '../calls/answer-texts.js';
import type { AnswerText, TextTransform } from '../calls/text-transform.js';
import { WholeAnswerTexts } from '../calls/whole-answer-texts.js';
import type { JsonPath } from '../calls/whole-answer-texts.js';
import type { ChunkTransform, TextFrames } from '../streaming/chunk-transform.js';
import { CalledTools, calledIn } from './called-tools.js';
import { isEnd } from './finish-reason.js';
import { TextFrameRelay } from './text-frame-relay.js';

/** What the texts of a chunk are of that has no list of choices. */
const CHUNK = 'chunk';
/** The JSON of the contents that are kept, in UTF-16 units: each goes out again with what is held back of it. */
const MAX_CONTENTS = 24 * 1024;
/** Choices whose contents are kept. */
const MAX_CHOICES = 10_000;
/** Choices of a stream that call tools, and have not ended, and their calls. */
const [MAX_CALLING, MAX_CALLS] = [256, 2_000];
const CONTENT: JsonPath = ['delta', 'content'];
/** The shape of a content that is a text. */
const TEXT = 'text';

/** A member of a chunk that clients take from there as it is, and put nothing behind. */
interface WholeMember {
  readonly holder: JsonObject;
  readonly name: string;
  readonly value: unknown;
}

/** A content, as `shapeOf` tells it, without its texts. */
interface WrittenContent {
  readonly shape: string;
  readonly emptied: unknown;
  /** UTF-16 units of their JSON. */
  readonly size: number;
}

interface ChoiceTextTransformOptions {
  /** Of the stream: lets other requests go first, and ends the work where nobody waits for it any more. */
  readonly cooperation?: CooperativeYield | undefined;
  /** A chunk as the client gets it; absent where its frames must not be relayed as texts. */
  readonly toFrame?: ((chunk: JsonObject) => Buffer) | undefined;
}

/**
 * Changes the texts of a stream of chat or text completions. Every string of a choice is a piece of one, but for ids and
 * words of fixed lists; which text it is of, its path says. What stands beside choices is whole, such as sources
 * that were searched.
 */
export class ChoiceTextTransform implements ChunkTransform {
  private readonly pieces: AnswerPieces;
  /** By choice: the tools that it calls. */
  private readonly tools = new Map<string, CalledTools>();
  /** By choice: the content that was written last. */
  private readonly contents = new Map<string, WrittenContent>();
  private contentsSize = 0;
  /** Calls of tools in choices that have not ended. */
  private calls = 0;
  /** The chunk that was read last, of which those are made that have what was held back. */
  private last: JsonObject = {};

  readonly textFrames: TextFrames | undefined;
  private readonly cooperation: CooperativeYield | undefined;

  constructor(
    private readonly textTransform: TextTransform,
    { cooperation, toFrame }: ChoiceTextTransformOptions = {},
  ) {
    this.cooperation = cooperation;
    this.textFrames = toFrame && new TextFrameRelay((index, chunk) => this.answerOf(index, chunk), toFrame);
    this.pieces = new AnswerPieces(textTransform);
  }

  async transform(chunk: JsonObject): Promise<JsonObject[]> {
    const whole = new WholeAnswerTexts(this.textTransform, this.cooperation);
    const { choices, ...others } = chunk;
    if (!Array.isArray(choices)) {
      await this.pieces.transformPieces(CHUNK, chunk, whole);
      this.last = keptOf(chunk);
      return [chunk];
    }
    const changed: unknown[] = [];
    const before: JsonObject[] = [];
    for (const [position, choice] of choices.entries()) {
      if (!isJsonObject(choice)) {
        changed.push(await whole.transformMember(chunk, 'choices', choice));
        continue;
      }
      const key = String(indexOf(choice, position));
      const shape = shapeOf(contentOf(choice));
      before.push(...this.endContent(key, shape, choice));
      await this.transformChoice(key, choice, whole, isEnd(choice.finish_reason));
      this.keepContent(key, shape, choice);
      changed.push(choice);
    }
    await whole.transformObject(others);
    this.last = keptOf(others);
    const made = { ...others, choices: changed };
    return before.length === 0 ? [made] : [{ ...this.last, choices: before }, made];
  }

  async flush(): Promise<JsonObject[]> {
    const whole = new WholeAnswerTexts(this.textTransform, this.cooperation);
    const chunk: JsonObject = { ...this.last };
    const hasMore = this.pieces.isOpen(CHUNK) && this.pieces.end(CHUNK, chunk);
    const choices: JsonObject[] = [];
    for (const key of new Set([...this.pieces.keys, ...this.tools.keys()])) {
      const choice: JsonObject = { index: Number(key), finish_reason: null };
      if (await this.transformChoice(key, choice, whole, true)) choices.push(choice);
    }
    return [...(hasMore ? [chunk] : []), ...(choices.length === 0 ? [] : [{ ...this.last, choices }])];
  }

  /**
   * Changes a choice in place, and puts what was held back into it where it ends.
   * @returns whether there was anything
   */
  private async transformChoice(
    key: string,
    choice: JsonObject,
    whole: WholeAnswerTexts,
    isOver: boolean,
  ): Promise<boolean> {
    const hasCalls = this.gatherCalls(key, choice, isOver);
    const members = takeWholeMembers(choice);
    if (members.length > 0) this.pieces.requireOpen(key);
    await this.pieces.transformPieces(key, choice, whole);
    for (const { holder, name, value } of members) {
      setMember(holder, name, await whole.transformMember(holder, name, value));
    }
    return isOver && (this.pieces.end(key, choice) || hasCalls);
  }

  /** Holds calls of tools back until their names are whole. @returns whether some go out that were held back */
  private gatherCalls(key: string, choice: JsonObject, isOver: boolean): boolean {
    const known = this.tools.get(key);
    const wasHolding = known?.isHolding ?? false;
    if (isOver && wasHolding && !isJsonObject(choice.delta)) choice.delta = {};
    const { delta } = choice;
    if (!isJsonObject(delta) || (!known && !('tool_calls' in delta) && !('function_call' in delta))) return false;
    const tools = known ?? new CalledTools();
    this.calls -= tools.count;
    tools.gather(delta, isOver);
    if (isOver) this.tools.delete(key);
    else {
      this.tools.set(key, tools);
      this.calls += tools.count;
    }
    if (this.tools.size > MAX_CALLING) throw new BadUpstream('The model server calls tools in too many choices.');
    if (this.calls > MAX_CALLS) throw new BadUpstream('The model server calls too many tools.');
    return wasHolding && !tools.isHolding;
  }

  /**
   * Ends a content where another begins, a text where parts do, or parts where the choice ends: their order is that of the
   * chunks. What is left of a text when the choice ends goes out with that.
   * @returns the choice with what was held back; none where that is nothing
   */
  private endContent(key: string, shape: string | undefined, { finish_reason: reason }: JsonObject): JsonObject[] {
    const written = this.contents.get(key);
    const isOver = shape === undefined ? isEnd(reason) && written?.shape !== TEXT : shape !== written?.shape;
    if (!isOver || !written) return [];
    this.contents.delete(key);
    this.contentsSize -= written.size;
    const choice: JsonObject = { index: Number(key), delta: { content: written.emptied }, finish_reason: null };
    return this.pieces.endAt(key, CONTENT, choice) ? [choice] : [];
  }

  /** Keeps a content that begins, as it was changed: names in it may be texts, too. */
  private keepContent(key: string, shape: string | undefined, choice: JsonObject): void {
    if (shape === undefined || shape === this.contents.get(key)?.shape) return;
    const written = emptied(contentOf(choice));
    const size = shape === TEXT ? 0 : shape.length + JSON.stringify(written).length;
    this.contentsSize += size;
    if (this.contentsSize > MAX_CONTENTS || this.contents.size >= MAX_CHOICES) {
      throw new BadUpstream('The model server writes contents of too many parts.');
    }
    this.contents.set(key, { shape, emptied: written, size });
  }

  /** The text of the content of a choice; undefined where that has ended, or parts of a content come before it. */
  private answerOf(index: number, chunk: JsonObject): AnswerText | undefined {
    const key = String(index);
    const written = this.contents.get(key) ?? { shape: TEXT, emptied: '', size: 0 };
    if (this.pieces.hasEnded(key) || written.shape !== TEXT) return undefined;
    this.contents.set(key, written);
    this.last = keptOf(chunk);
    return this.pieces.textAt(key, CONTENT);
  }
}

/**
 * Takes out of a choice what servers write whole, and no client puts together from pieces: the names of tools, which
 * are gathered, sources of a text, and what thoughts are written in.
 */
function takeWholeMembers({ delta }: JsonObject): WholeMember[] {
  if (!isJsonObject(delta)) return [];
  const told: WholeMember[] = [
    ...calledIn(delta).map((holder) => ({ holder, name: 'name', value: holder.name })),
    ...objectsOf(delta.reasoning_details).map((holder) => ({ holder, name: 'format', value: holder.format })),
  ].filter(({ value }) => typeof value === 'string' && value !== '');
  const { annotations } = delta;
  if (objectsOf(annotations).length > 0) told.push({ holder: delta, name: 'annotations', value: annotations });
  for (const { holder, name } of told) delete holder[name];
  return told;
}

function contentOf({ delta }: JsonObject): unknown {
  return isJsonObject(delta) ? delta.content : undefined;
}

/** What tells a content apart from the next: its being a text, or its parts; undefined where there is none. */
function shapeOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === 'string' && content !== '' ? TEXT : undefined;
  return JSON.stringify(content.map((part) => (isJsonObject(part) ? [part.type, part.index] : null)));
}

/** A content without its texts. */
function emptied(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => emptied(entry, name));
  if (!isJsonObject(value)) return isKept(name, value) ? value : '';
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, emptied(member, key)]));
}

/** What all chunks of a stream have alike. @param chunk whose names and texts are changed already */
function keptOf(chunk: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(chunk).filter(([name, value]) => name !== 'usage' && isKept(name, value)));
}
