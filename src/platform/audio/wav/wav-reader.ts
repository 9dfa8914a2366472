import { AudioFailed } from '../audio-failed.js';
import { ByteQueue } from './byte-queue.js';
import { parseWavFormat } from './wav-format.js';
import type { WavFormat } from './wav-format.js';

/** A WAV file whose head is read. */
export interface OpenWav {
  readonly format: WavFormat;
  /** Its samples as they are written, in pieces of whole frames (a sample of each channel); read once. */
  readonly frames: AsyncIterable<Buffer>;
}

/** Samples a second. Below is no speech that could be understood, and a small file is hours of audio. */
const LEAST_RATE = 8_000;
const MOST_RATE = 384_000;
/** No `fmt ` chunk is larger. */
const FORMAT_BYTES = 1_024;
/** Chunks before the samples: notes, cues, and the like. */
const MOST_CHUNKS = 1_000;
/** Writers that cannot go back to the head say these. */
const UNKNOWN_SIZES = new Set([0, 0xffffffff]);
/** A size of 64 bits stands elsewhere (EBU Tech 3306). */
const LARGE = new Set(['RF64', 'BW64']);
const PIECE_BYTES = 64 * 1024;

/**
 * Reads a WAV file (RIFF and RF64) as it comes. What the head says of sizes is not believed: a file that is cut off ends
 * where it ends, and samples behind a size that is 0, unknown, or too small for 32 bits are read too.
 * @throws AudioFailed malformed, sample_rate, unsupported_media_type for other encodings
 */
export async function openWav(source: AsyncIterable<Uint8Array>): Promise<OpenWav> {
  const bytes = new ByteQueue(source);
  const head = (await bytes.take(12)).toString('latin1');
  const isLarge = LARGE.has(head.slice(0, 4));
  if (head.slice(8) !== 'WAVE' || !(isLarge || head.startsWith('RIFF'))) throw new AudioFailed('malformed');
  let format: WavFormat | undefined;
  let largeSize = 0;
  for (let count = 0; count < MOST_CHUNKS; count += 1) {
    const chunk = await bytes.take(8);
    if (chunk.length < 8) break;
    const id = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    if (id === 'data') {
      if (!format) break;
      const isUnknown = UNKNOWN_SIZES.has(size) || (isLarge && largeSize === 0);
      return { format, frames: wholeFrames(bytes, format, isUnknown ? Infinity : isLarge ? largeSize : size) };
    }
    const content = await bytes.take(Math.min(size, FORMAT_BYTES));
    if (id === 'fmt ') {
      format = parseWavFormat(content);
      if (!format) throw new AudioFailed('unsupported_media_type');
      if (format.sampleRate < LEAST_RATE || format.sampleRate > MOST_RATE) throw new AudioFailed('sample_rate');
    }
    if (id === 'ds64' && content.length >= 16) largeSize = Number(content.readBigUInt64LE(8));
    // Chunks of odd lengths are padded.
    const padded = size + (size % 2);
    await bytes.skip(padded - content.length);
  }
  throw new AudioFailed('malformed');
}

async function* wholeFrames(bytes: ByteQueue, format: WavFormat, size: number): AsyncGenerator<Buffer> {
  const frameBytes = format.channels * format.sampleBytes;
  const pieceBytes = Math.floor(PIECE_BYTES / frameBytes) * frameBytes;
  for (let left = size; ;) {
    if (left < frameBytes && (await isEnd(bytes, left))) return;
    // A size of 32 bits that has run over: what follows is no chunk, so it is more of the same.
    if (left < frameBytes) left = Infinity;
    const piece = await bytes.take(Math.min(pieceBytes, left - (left % frameBytes) || pieceBytes));
    left -= piece.length;
    if (piece.length >= frameBytes) yield piece.subarray(0, piece.length - (piece.length % frameBytes));
    if (piece.length === 0 || piece.length % frameBytes !== 0) return;
  }
}

/** Behind the samples, which may be padded to an even length, are other chunks with names, or nothing. */
async function isEnd(bytes: ByteQueue, left: number): Promise<boolean> {
  const next = await bytes.peek(left + 9);
  if (next.length < left + 8) return true;
  return [left, left + 1].some((place) => /^[A-Za-z0-9_ ]{4}$/.test(next.toString('latin1', place, place + 4)));
}
