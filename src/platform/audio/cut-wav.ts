import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { DECODED_RATE } from './audio.types.js';
import type { AudioSpan } from './audio.types.js';
import { WAV_HEAD_BYTES } from './wav/wav-head.js';
import { WavWriter } from './wav/wav-writer.js';

const SAMPLE_BYTES = 2;
const PIECE_BYTES = 256 * 1024;

/** How stretches of a decoded file are put together. */
export interface CutOptions {
  /** The file that is made; there is none yet. */
  readonly path: string;
  /** Silence between two stretches. Default: 0. */
  readonly gapSeconds?: number;
  readonly signal: AbortSignal;
}

/**
 * Writes stretches of a decoded file, one after another, to a file of the same kind.
 * @param wavPath as `AudioProcessor.decode` has made it
 * @param spans in seconds; what lies outside of the file is left out
 * @returns the length of the file, in bytes
 * @throws what the file system throws, the reason of the signal
 */
export async function cutWav(
  wavPath: string,
  spans: readonly AudioSpan[],
  { path, gapSeconds = 0, signal }: CutOptions,
): Promise<number> {
  await using source = await open(wavPath);
  const writer = await WavWriter.create(path, DECODED_RATE);
  try {
    for (const [index, span] of spans.entries()) {
      if (index > 0) await writer.write(Buffer.alloc(toPlace(gapSeconds)));
      await copySpan(source, span, writer, signal);
    }
    return await writer.finish();
  } catch (error) {
    await writer.close().catch(() => undefined);
    throw error;
  }
}

/** How long the file is at most that `cutWav` makes of these, in bytes. */
export function cutBytes(spans: readonly AudioSpan[], gapSeconds: number): number {
  const samples = spans.reduce((sum, { start, end }) => sum + toPlace(end) - toPlace(Math.max(0, start)), 0);
  return WAV_HEAD_BYTES + samples + spans.length * toPlace(gapSeconds);
}

async function copySpan(
  source: FileHandle,
  { start, end }: AudioSpan,
  writer: WavWriter,
  signal: AbortSignal,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  const last = WAV_HEAD_BYTES + toPlace(end);
  for (let place = WAV_HEAD_BYTES + toPlace(Math.max(0, start)); place < last;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, Math.min(PIECE_BYTES, last - place), place);
    if (bytesRead === 0) return;
    await writer.write(buffer.subarray(0, bytesRead));
    place += bytesRead;
  }
}

/** Behind the head, in bytes; always between two samples. */
function toPlace(seconds: number): number {
  return Math.round(seconds * DECODED_RATE) * SAMPLE_BYTES;
}
