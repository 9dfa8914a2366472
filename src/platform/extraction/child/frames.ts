/**
 * What a frame holds: a JSON value, bytes of the input, or the end of what was sent (with a JSON value); or that a child
 * has started (with one, too).
 */
export const FRAME = { json: 1, bytes: 2, end: 3, ready: 4 } as const;

/** A message between a process and its child: a 32-bit length, a byte that tells its type, the payload. */
export interface Frame {
  readonly type: number;
  readonly payload: Buffer;
}

/** The largest payload, in bytes. */
export const FRAME_BYTES = 8 * 1024 * 1024;

/** The status of a child that a task has ended by an error that nobody caught. */
export const FAILED_EXIT = 70;

const HEAD_BYTES = 5;

/** The head of a frame; its payload is to be written behind it. */
export function frameHead(type: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(length);
  head.writeUInt8(type, 4);
  return head;
}

/** A whole frame with a JSON value. @throws Error where it is larger than a frame may be */
export function jsonFrame(type: number, value: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(value));
  if (payload.length > FRAME_BYTES) throw new Error('a frame is too large');
  return Buffer.concat([frameHead(type, payload.length), payload]);
}

/**
 * The frames of a stream of bytes; a frame that is cut off at its end is not told.
 * @throws Error where a frame is larger than it may be
 */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame, void, undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
    for (;;) {
      needed = HEAD_BYTES + (rest.length < HEAD_BYTES ? 0 : rest.readUInt32BE());
      if (needed > HEAD_BYTES + FRAME_BYTES) throw new Error('a frame is too large');
      if (rest.length < needed) break;
      yield { type: rest.readUInt8(4), payload: rest.subarray(HEAD_BYTES, needed) };
      rest = rest.subarray(needed);
    }
    chunks = rest.length > 0 ? [rest] : [];
    size = rest.length;
  }
}
