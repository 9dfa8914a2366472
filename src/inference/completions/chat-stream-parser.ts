import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { StreamParser } from '../streaming/stream-parser.js';
import {
  dataOf,
  endOfFrame,
  findMember,
  isPassThroughFrame,
  memberName,
  parseChunk,
  passThroughPrefix,
  relayFrames,
} from '../streaming/event-frames.js';
import type { FrameReader } from '../streaming/event-frames.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { errorOfEvent } from '../backends/openai/upstream-errors.js';
import { completedUsage, toMeteredUsage } from '../calls/usage.js';

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

/** Reads the events of a stream of unnamed chunks. It takes out usage, errors and the end mark, which makes it whole. */
export class ChatStreamParser implements StreamParser, FrameReader {
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
