import { BadUpstream } from '../../errors.js';
import { isDeeperThan, MAX_JSON_DEPTH } from '../../platform/json/json-depth.js';
import { CHUNK_JSON, excessOf } from './json-limits.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const COLON = 0x3a;

/** The last event of a responses stream repeats the whole answer. */
const FRAME_BYTES = 4 * 1024 * 1024;
/** Of the longest end of a frame, all but its last byte may have come before. */
const END_BYTES_BEFORE = 2;

const COMMENT_LINE = Buffer.from('\n:');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Where the last whole frame ends; 0: nowhere. A frame ends at a blank line, whichever way lines end.
 * @param from where what is new begins: no frame ends before it
 */
export function endOfFrames(bytes: Buffer, from = 0): number {
  // What is sent together mostly arrives together.
  const { length } = bytes;
  if (length - from > 1 && bytes[length - 1] === LINE_FEED && bytes[length - 2] === LINE_FEED) return length;
  const unseen = from === 0 ? bytes : bytes.subarray(from);
  const lineFeeds = unseen.lastIndexOf('\n\n');
  const mixed = unseen.lastIndexOf('\n\r\n');
  if (lineFeeds < 0 && mixed < 0) return 0;
  return from + Math.max(lineFeeds < 0 ? 0 : lineFeeds + 2, mixed < 0 ? 0 : mixed + 3);
}

/** Where the frame that begins at `start` ends. */
export function endOfFrame(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(LINE_FEED, start); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2;
    if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
  }
  return bytes.length;
}

/** Whether a block has line ends other than a bare line feed. */
function hasCarriageReturns(bytes: Buffer): boolean {
  return bytes.includes(CARRIAGE_RETURN);
}

/** Whether a frame looks like `data: {…}` and a blank line, so that it can pass unread. */
export function isPassThroughFrame(bytes: Buffer, start: number, end: number): boolean {
  return (
    end - start > 8 &&
    bytes.readUInt32LE(start) === 0x61746164 && // "data"
    bytes[start + 4] === COLON &&
    bytes[bytes[start + 5] === SPACE ? start + 6 : start + 5] === OPENING_BRACE &&
    bytes[end - 3] === CLOSING_BRACE &&
    bytes[end - 2] === LINE_FEED
  );
}

/**
 * How many bytes of frames that pass through a block begins with, those before `match` alone. It looks at the two ends of
 * each frame, so that hundreds of them take no longer than one search for each.
 */
export function passThroughPrefix(bytes: Buffer, match: number): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start) + 2;
    if (end < 2 || bytes[end - 1] !== LINE_FEED || end > match || !isPassThroughFrame(bytes, start, end)) return start;
    start = end;
  }
}

/** The data of a frame; undefined for a comment or a frame without data. */
export function dataOf(frame: Buffer): string | undefined {
  const data = frame
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line[5] === ' ' ? 6 : 5));
  return data.length === 0 ? undefined : data.join('\n');
}

/** Shorter data has few parts, and is only looked at once it is parsed. */
const SHORT_CHARACTERS = 64 * 1024;

/**
 * The object in the data of a frame; undefined where it is none, or one that is nested deeper than 64 levels or has too
 * many parts.
 * @param limits of data of more than 64 KiB
 */
export function parseChunk(data: string, limits = CHUNK_JSON): JsonObject | undefined {
  // It would be caught too, but an error costs as much as many events.
  if (data === '') return undefined;
  if (data.length > SHORT_CHARACTERS && excessOf(Buffer.from(data), limits)) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) && !isDeeperThan(MAX_JSON_DEPTH, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The chunks of a block, one after another; what is none is left out. */
export function* chunksOf(block: Buffer): Generator<JsonObject> {
  for (let start = 0, end = 0; start < block.length; start = end) {
    end = endOfFrame(block, start);
    const chunk = parseChunk(dataOf(block.subarray(start, end)) ?? '');
    if (chunk) yield chunk;
  }
}

/** Reads the frames of a block that cannot pass unread. */
export interface FrameReader {
  /** Anything: the answer has ended, and nothing more is read. */
  readonly ending: unknown;
  /** Where a block next says something that must be read, from `from` on; infinity: nowhere. */
  nextMatch(block: Buffer, from: number): number;
  /** How many bytes at the beginning of a block can pass unread, where that is known at once. */
  passThroughPrefix?(block: Buffer, match: number): number;
  /** Whether a frame has the form in which it can pass unread. */
  isPassThrough(block: Buffer, start: number, end: number): boolean;
  /** Told of a frame that passes unread, but for those of the prefix. */
  onPassThrough?(): void;
  /** The frame that goes out in place of one that had to be read; undefined: none. */
  rewrite(frame: Buffer, passesThrough: boolean): Buffer | 'same' | undefined;
}

/** Passes the frames of a block on, and has those read that match the reader; the block itself where none does. */
export function relayFrames(block: Buffer, reader: FrameReader): Buffer {
  const hasReturns = hasCarriageReturns(block);
  const kept: Buffer[] = [];
  let match = reader.nextMatch(block, 0);
  let untouched = 0;
  const prefix = hasReturns ? 0 : (reader.passThroughPrefix?.(block, match) ?? 0);
  for (let start = prefix, end = 0; start < block.length && !reader.ending; start = end) {
    end = endOfFrame(block, start);
    const passesThrough = !hasReturns && reader.isPassThrough(block, start, end);
    if (passesThrough && match >= end) {
      reader.onPassThrough?.();
      continue;
    }
    if (match < end) match = reader.nextMatch(block, end);
    const replacement = reader.rewrite(block.subarray(start, end), passesThrough);
    if (replacement === 'same') continue;
    kept.push(block.subarray(untouched, start));
    if (replacement) kept.push(replacement);
    untouched = reader.ending ? block.length : end;
  }
  if (untouched === 0) return block;
  kept.push(block.subarray(untouched));
  return Buffer.concat(kept);
}

/**
 * Cuts the bytes of an event stream into blocks of whole frames, and holds back the frame that has not ended. Frames of
 * comments alone are dropped: nothing else looks at them.
 */
export class FrameBuffer {
  private partialFrame: Buffer | undefined;
  /** Holds the frame that has not ended, and has space for more of it, once it has come in several pieces. */
  private buffer: Buffer | undefined;
  private begun = false;

  /**
   * The whole frames that are there now, as they came; undefined where none has ended, or none says anything.
   * @throws BadUpstream where one frame is larger than 4 MiB
   */
  push(bytes: Buffer): Buffer | undefined {
    const before = this.partialFrame?.length ?? 0;
    const all = this.withoutByteOrderMark(this.partialFrame ? this.joined(this.partialFrame, bytes) : bytes);
    const end = endOfFrames(all, Math.max(0, before - END_BYTES_BEFORE));
    this.partialFrame = end < all.length ? all.subarray(end) : undefined;
    if (end > 0) this.buffer = undefined;
    if (this.partialFrame && this.partialFrame.length > FRAME_BYTES) {
      throw new BadUpstream('The model server sent an event that is too large.');
    }
    return end === 0 ? undefined : withoutComments(end === all.length ? all : all.subarray(0, end));
  }

  /** Takes out the last frame, which lacks its blank line; undefined where there is none. */
  end(): Buffer | undefined {
    const rest = this.partialFrame?.toString('utf8').trim();
    this.partialFrame = undefined;
    return rest ? withoutComments(Buffer.from(`${rest}\n\n`)) : undefined;
  }

  /** The frame that has not ended, with what follows it. One that comes in many pieces is not copied for each of them. */
  private joined(partial: Buffer, bytes: Buffer): Buffer {
    const length = partial.length + bytes.length;
    if (!this.buffer || this.buffer.length < length) {
      const grows = this.buffer !== undefined;
      this.buffer = Buffer.allocUnsafe(grows ? 2 * length : length);
      partial.copy(this.buffer);
    }
    bytes.copy(this.buffer, partial.length);
    return this.buffer.subarray(0, length);
  }

  /** A stream may begin with a byte order mark. */
  private withoutByteOrderMark(bytes: Buffer): Buffer {
    if (this.begun || bytes.length < BYTE_ORDER_MARK.length) return bytes;
    this.begun = true;
    const length = BYTE_ORDER_MARK.length;
    if (!bytes.subarray(0, length).equals(BYTE_ORDER_MARK)) return bytes;
    this.buffer = undefined;
    return bytes.subarray(length);
  }
}

/** A block without the comments and blank lines that its frames begin with; undefined where nothing else is in it. */
function withoutComments(block: Buffer): Buffer | undefined {
  if (!isIdle(block[0]) && block[block.length - 3] !== LINE_FEED && block.indexOf(COMMENT_LINE) < 0) return block;
  const kept: Buffer[] = [];
  for (let at = 0; at < block.length;) {
    const start = endOfIdle(block, at);
    at = start < block.length ? endOfFrame(block, start) : start;
    if (start < at) kept.push(block.subarray(start, at));
  }
  return kept.length === 0 ? undefined : Buffer.concat(kept);
}

/** Where the comments and blank lines end that begin at the start of a line. */
function endOfIdle(block: Buffer, start: number): number {
  let at = start;
  while (at < block.length && isIdle(block[at])) {
    if (block[at] === COLON) while (at < block.length && !isLineEnd(block[at])) at += 1;
    at += 1;
  }
  return at;
}

function isIdle(byte: number | undefined): boolean {
  return byte === COLON || isLineEnd(byte);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
