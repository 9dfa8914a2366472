import { BadUpstream } from '../../errors.js';
import { endOfFrame, endOfFrames } from './event-frames.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
/** The last event of a responses stream repeats the whole answer. */
const FRAME_BYTES = 4 * 1024 * 1024;
/** Of the longest end of a frame, all but its last byte may have come before. */
const END_BYTES_BEFORE = 2;

const COMMENT_LINE = Buffer.from('\n:');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Cuts the bytes of an event stream into blocks of whole frames, and holds back the frame that has not ended. Frames of
 * comments alone are dropped: nothing else looks at them.
 */
export class FrameBuffer {
  private partialFrame: Buffer | undefined;
  /** Where the tail is kept, with room behind it, once it has grown. */
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

  /** The tail with what follows it. A frame that comes in many pieces is not copied for each of them. */
  private joined(tail: Buffer, bytes: Buffer): Buffer {
    const length = tail.length + bytes.length;
    if (!this.buffer || this.buffer.length < length) {
      const grows = this.buffer !== undefined;
      this.buffer = Buffer.allocUnsafe(grows ? 2 * length : length);
      tail.copy(this.buffer);
    }
    bytes.copy(this.buffer, tail.length);
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
  for (let at = 0; at < block.length; ) {
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
