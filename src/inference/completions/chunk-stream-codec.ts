import { END_MARK } from '../../graph/data-batches.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { findMember, memberName } from '../../platform/json/json-member.js';
import { errorOfEvent } from '../backends/openai/upstream-errors.js';
import { countAnswers } from '../calls/answer-bounds.js';
import { indexOf } from '../calls/answer-pieces.js';
import { wantsUsage } from '../calls/prompt.js';
import type { TextTransform } from '../calls/text-transform.js';
import { completedUsage, toMeteredUsage, toUsageMember } from '../calls/usage.js';
import { ModelNameTransform } from '../streaming/chunk-transform.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import {
  dataOf,
  endOfFrame,
  isPassThroughFrame,
  parseChunk,
  passThroughPrefix,
  relayFrames,
} from '../streaming/event-frames.js';
import type { FrameReader } from '../streaming/event-frames.js';
import type { StreamCodec } from '../streaming/stream-codec.js';
import type { StreamParser } from '../streaming/stream-parser.js';
import { ChoiceTextTransform } from './choice-text-transform.js';
import { isEnd } from './finish-reason.js';
import { ToolCallPlaces } from './tool-call-places.js';

/** What is read of a stream that is relayed: each is searched for from a byte on that is rare. */
const READ_MEMBERS = [memberName('usage', 1), memberName('error', 2), memberName('tool_calls', 5)];
const FINISH_REASON = memberName('finish_reason', 7);
/** It stands in every chunk, nearly always as null: a search for others takes as long as all else that is done to a stream. */
const WITH_FINISH_REASON = [...READ_MEMBERS, FINISH_REASON];
const LAST_REASON = /^"finish_reason" *: *"([^"]*)"/;
/** Characters: the longest known reason, with its name. */
const REASON_CHARACTERS = 64;
/** What every chunk has; anything else in one is a server's own. */
const STANDARD = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
]);
/** Servers that name their errors, and those that send them in a field of their own. */
const ERROR_LINE = /^(?:event: ?error\s*$|error:(.*))/m;

/** Streams of unnamed chunks that end with `[DONE]`: those of chat, and of completions. */
export class ChunkStreamCodec<T> implements StreamCodec<T> {
  readonly parser: ChunkStreamParser;
  readonly toFrame = toFrame;
  readonly endMark = END_MARK;
  private first: JsonObject | undefined;

  /**
   * @param model the public name
   * @param object what `object` says in a chunk
   * @param transforms that every stream of the operation passes through
   */
  constructor(
    private readonly request: JsonObject,
    private readonly model: string,
    private readonly object: string,
    readonly toEvent: (chunk: JsonObject) => T,
    readonly transforms: readonly ChunkTransform[] = [],
  ) {
    this.parser = new ChunkStreamParser(wantsUsage(request), countAnswers('completions', request));
  }

  /** Servers may answer with another name of the model than the one that they were asked for, or with none. */
  onFirstChunk(first: JsonObject): ChunkTransform[] {
    this.first = first;
    return first.model === this.model ? [] : [new ModelNameTransform(this.model)];
  }

  transformTexts(transform: TextTransform, cooperation?: CooperativeYield): ChunkTransform {
    // The client gets the chunks of other operations with each text twice: their frames do not differ in one text alone.
    const isRelayed = this.transforms.length === 0;
    const toSentFrame = (chunk: JsonObject): Buffer => toFrame({ ...chunk, model: this.model });
    return new ChoiceTextTransform(transform, { cooperation, toFrame: isRelayed ? toSentFrame : undefined });
  }

  /** The usage, where the client asked for it. */
  lastChunks(usage: MeteredUsage): JsonObject[] {
    if (!wantsUsage(this.request)) return [];
    const { id, created } = this.first ?? {};
    const made = { id, object: this.object, created, choices: [], usage: toUsageMember(usage) };
    return [{ ...(this.parser.usageChunk ?? made), model: this.model }];
  }
}

/** Reads the events of a stream of unnamed chunks. It takes out usage, errors and the end mark, which makes it whole. */
export class ChunkStreamParser implements StreamParser, FrameReader {
  ending: 'whole' | PlatformError | undefined;
  usage: MeteredUsage | null = null;
  /** The chunk that shows the usage to the client. */
  usageChunk: JsonObject | undefined;
  /** By choice. */
  private readonly toolCalls = new Map<number, ToolCallPlaces>();
  private readonly begun = { calls: 0 };
  private readonly endedChoices = new Set<number>();
  private isRenumbered = false;
  /** Where the block that is relayed has each of the members next. */
  private readonly matches: number[];
  private readonly members: typeof READ_MEMBERS;

  /**
   * @param usageFollows whether the client gets `usageChunk`, with whatever the upstream tells beside the usage
   * @param answers how many choices were asked for
   */
  constructor(
    private readonly usageFollows: boolean,
    private readonly answers = 1,
  ) {
    // Several choices end in any order, one ends with the last chunk that has a reason.
    this.members = answers > 1 ? WITH_FINISH_REASON : READ_MEMBERS;
    this.matches = this.members.map(() => -1);
  }

  /** All choices have told why they ended: some servers send no end mark behind that. */
  get isAnswered(): boolean {
    return this.endedChoices.size >= this.answers;
  }

  relay(block: Buffer): Buffer {
    this.matches.fill(-1);
    if (this.answers === 1 && !this.isAnswered) this.readLastReason(block);
    return relayFrames(block, this);
  }

  parse(block: Buffer): JsonObject[] {
    const chunks: JsonObject[] = [];
    for (let start = 0, end = 0; start < block.length && !this.ending; start = end) {
      end = endOfFrame(block, start);
      const chunk = this.read(block.subarray(start, end));
      const rest = chunk && this.withoutUsage(chunk);
      if (rest) chunks.push(rest);
    }
    return chunks;
  }

  nextMatch(block: Buffer, from: number): number {
    for (const [at, member] of this.members.entries()) {
      if ((this.matches[at] as number) < from) this.matches[at] = findMember(block, member, from);
    }
    return Math.min(...this.matches);
  }

  passThroughPrefix(block: Buffer, match: number): number {
    return passThroughPrefix(block, match);
  }

  isPassThrough(block: Buffer, start: number, end: number): boolean {
    return isPassThroughFrame(block, start, end);
  }

  rewrite(frame: Buffer, passesThrough: boolean): Buffer | 'same' | undefined {
    const chunk = this.read(frame);
    if (!chunk) return undefined;
    const rest = this.withoutUsage(chunk);
    if (!rest) return undefined;
    return rest === chunk && passesThrough && !this.isRenumbered ? 'same' : toFrame(rest);
  }

  /** Parses a frame; undefined where it has no chunk, or ends the answer. */
  private read(frame: Buffer): JsonObject | undefined {
    const data = dataOf(frame)?.trim() ?? '';
    const isError = ERROR_LINE.test(frame.toString('latin1'));
    if (!data && !isError) return undefined;
    if (data === '[DONE]') {
      this.ending = 'whole';
      return undefined;
    }
    if (isError) {
      const said = data || (ERROR_LINE.exec(frame.toString('utf8'))?.[1] ?? '').trim();
      const error = parseChunk(said);
      // It may tell the usage too, and then nothing else does.
      this.usage = toMeteredUsage(error?.usage) ?? this.usage;
      this.ending = errorOfEvent(error?.error ?? error ?? said);
      return undefined;
    }
    const chunk = parseChunk(data);
    if (!chunk) {
      this.ending = new BadUpstream('The model server sent an event that makes no sense.');
      return undefined;
    }
    if ((chunk.error ?? null) !== null || chunk.object === 'error') {
      this.usage = toMeteredUsage(chunk.usage) ?? this.usage;
      this.ending = errorOfEvent(chunk.error ?? chunk);
      return undefined;
    }
    this.readChoices(chunk);
    return chunk;
  }

  /** Whether the only choice has ended, by the last chunk of a block. */
  private readLastReason(block: Buffer): void {
    const at = block.lastIndexOf(FINISH_REASON.quoted);
    const [, reason] = at < 0 ? [] : (LAST_REASON.exec(block.toString('latin1', at, at + REASON_CHARACTERS)) ?? []);
    if (!isEnd(reason)) return;
    const begin = block.lastIndexOf('\ndata:', at) + 1;
    // The upstream may have broken off in the middle of it.
    const chunk = parseChunk(dataOf(block.subarray(begin, endOfFrame(block, at))) ?? '');
    if (chunk) this.readChoices(chunk);
  }

  /** Notes which choices have ended, and gives each call of a tool an index of its own. */
  private readChoices({ choices }: JsonObject): void {
    this.isRenumbered = false;
    for (const [position, choice] of objectsOf(choices).entries()) {
      const index = indexOf(choice, position);
      if (index < this.answers && isEnd(choice.finish_reason)) this.endedChoices.add(index);
      const calls = objectsOf(objectsOf([choice.delta])[0]?.tool_calls);
      if (calls.length === 0) continue;
      const places = this.toolCalls.get(index) ?? new ToolCallPlaces(this.begun);
      this.toolCalls.set(index, places);
      if (places.number(calls)) this.isRenumbered = true;
    }
  }

  /** Takes the usage out of a chunk; undefined where nothing else is in it. */
  private withoutUsage(chunk: JsonObject): JsonObject | undefined {
    if (!isJsonObject(chunk.usage)) return chunk;
    const usage = toMeteredUsage(chunk.usage);
    if (usage) {
      this.usage = usage;
      this.usageChunk = { ...chunk, choices: [], usage: completedUsage(chunk.usage, usage) };
    }
    const { usage: _usage, ...rest } = chunk;
    if (Array.isArray(chunk.choices) && chunk.choices.length > 0) return rest;
    if (this.usageFollows || !hasVendorFields(rest)) return undefined;
    // Many a client that did not ask for usage looks into the first choice of every chunk.
    return { ...rest, choices: [{ index: 0, delta: {}, finish_reason: null }] };
  }
}

/** Whether a chunk has members of the server's own, such as the times of llama.cpp. */
function hasVendorFields(chunk: JsonObject): boolean {
  return Object.entries(chunk).some(([name, value]) => value !== null && !STANDARD.has(name));
}

/** A chunk as it goes over the wire. */
export function toFrame(chunk: JsonObject): Buffer {
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}
