import { BadUpstream } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { MeteredUsage } from '../metering/metering.types.js';
import { dataOf, endOfFrame, findMember, hasCarriageReturns, isPlainFrame, memberName } from './event-frames.js';
import { isJsonObject } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { errorOfEvent } from './upstream-errors.js';
import { toMeteredUsage } from './usage.types.js';

// "usage" from its u on, "error" from its first r on.
const USAGE = memberName('usage', 1);
const ERROR = memberName('error', 2);

/**
 * Reads the events of one chat stream, block by block, as bytes or as objects. It takes out what concerns the platform:
 * usage, errors and the end mark. What comes after an error or the end mark is not read.
 */
export class ChatEvents {
  /** Set when the answer has ended: `whole` at the end mark, else what went wrong. */
  ending: 'whole' | PlatformError | undefined;
  /** What the upstream said of its usage so far. */
  usage: MeteredUsage | null = null;
  /** The chunk that shows the usage to the client. */
  usageChunk: JsonObject | undefined;

  /** What the client sees of a block: the block itself where nothing in it concerns the platform. */
  relay(block: Buffer): Buffer {
    const hasReturns = hasCarriageReturns(block);
    const kept: Buffer[] = [];
    let concern = nextConcern(block, 0);
    let untouched = 0;
    for (let start = 0, end = 0; start < block.length && !this.ending; start = end) {
      end = endOfFrame(block, start);
      const plain = !hasReturns && isPlainFrame(block, start, end);
      if (plain && concern >= end) continue;
      if (concern < end) concern = nextConcern(block, end);
      const replacement = this.replace(block.subarray(start, end), plain);
      if (replacement === 'same') continue;
      kept.push(block.subarray(untouched, start));
      if (replacement) kept.push(replacement);
      untouched = this.ending ? block.length : end;
    }
    if (untouched === 0) return block;
    kept.push(block.subarray(untouched));
    return Buffer.concat(kept);
  }

  /** The chunks of a block, without those that only concern the platform. */
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

  /** The frame that goes out in place of one that had to be read; undefined: none. */
  private replace(frame: Buffer, plain: boolean): Buffer | 'same' | undefined {
    const chunk = this.read(frame);
    if (!chunk) return undefined;
    const rest = this.withoutUsage(chunk);
    if (!rest) return undefined;
    return rest === chunk && plain ? 'same' : toFrame(rest);
  }

  /** Parses a frame; undefined where it has no chunk, or ends the answer. */
  private read(frame: Buffer): JsonObject | undefined {
    const data = dataOf(frame)?.trim();
    if (!data) return undefined;
    if (data === '[DONE]') {
      this.ending = 'whole';
      return undefined;
    }
    const chunk = parseObject(data);
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
      this.usageChunk = { ...chunk, choices: [] };
    }
    if (!Array.isArray(chunk.choices) || chunk.choices.length === 0) return undefined;
    const { usage: _usage, ...rest } = chunk;
    return rest;
  }
}

/** The first chunk of a block; undefined where there is none. */
export function firstChunkOf(block: Buffer): JsonObject | undefined {
  for (let start = 0, end = 0; start < block.length; start = end) {
    end = endOfFrame(block, start);
    const data = dataOf(block.subarray(start, end));
    if (data !== undefined) return parseObject(data);
  }
  return undefined;
}

/** A chunk as it goes over the wire. */
export function toFrame(chunk: JsonObject): Buffer {
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** Where a block next says something that concerns the platform; infinity: nowhere. */
function nextConcern(block: Buffer, from: number): number {
  const usage = findMember(block, USAGE, from);
  const error = findMember(block, ERROR, from);
  if (usage < 0) return error < 0 ? Number.POSITIVE_INFINITY : error;
  return error < 0 ? usage : Math.min(usage, error);
}

function parseObject(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
