import { END_MARK } from '../../graph/data-batches.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { findMember, memberName } from '../../platform/json/json-member.js';
import { errorOfEvent } from '../backends/openai/upstream-errors.js';
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

// "usage" from its u on, "error" from its first r on.
const USAGE = memberName('usage', 1);
const ERROR = memberName('error', 2);
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
const ERROR_LINE = /^(event: ?error\s*$|error:)/m;

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
    this.parser = new ChunkStreamParser(wantsUsage(request));
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

  /** @param usageFollows whether the client gets `usageChunk`, with whatever the upstream tells beside the usage */
  constructor(private readonly usageFollows: boolean) {}

  relay(block: Buffer): Buffer {
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
    return Math.min(findMember(block, USAGE, from), findMember(block, ERROR, from));
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
    return rest === chunk && passesThrough ? 'same' : toFrame(rest);
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
    const chunk = parseChunk(data);
    // An error may tell it too, and then nothing else does.
    this.usage = toMeteredUsage(chunk?.usage) ?? this.usage;
    if (isError) {
      this.ending = errorOfEvent(chunk?.error ?? chunk);
      return undefined;
    }
    if (!chunk) {
      this.ending = new BadUpstream('The model server sent an event that makes no sense.');
      return undefined;
    }
    if (chunk.error !== undefined && chunk.error !== null) {
      this.ending = errorOfEvent(chunk.error);
      return undefined;
    }
    return chunk;
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
