import { dataOf, endOfFrame, FrameBuffer, parseChunk } from '../../../src/inference/streaming/event-frames.js';

/** Writes a text as a model server streams it: two events, each with a part. */
export function frameText(text: string): Buffer {
  const middle = Math.floor(text.length / 2);
  const parts = [text.slice(0, middle), text.slice(middle)];
  return Buffer.from(parts.map((part) => `data: ${JSON.stringify({ part })}\n\n`).join(''));
}

/** Reads the parts, as the gateway does, from bytes that come in two pieces. */
export function readFramedText(bytes: Buffer, cut: number): string[] {
  const buffer = new FrameBuffer();
  return [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((piece) => {
    const frames = buffer.push(Buffer.from(piece)) ?? Buffer.alloc(0);
    const parts: string[] = [];
    for (let start = 0, end = 0; start < frames.length; start = end) {
      end = endOfFrame(frames, start);
      parts.push(String(parseChunk(dataOf(frames.subarray(start, end)) ?? '')?.['part']));
    }
    return parts;
  });
}
