import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RunningProgram } from '../programs/running-program.js';
import { AudioFailed } from './audio-failed.js';
import type { AudioFormat } from './audio.types.js';
import { wavHead } from './wav/wav-head.js';

/** How samples are written. */
export interface EncodeOptions {
  readonly format: AudioFormat;
  /** Of the samples, in hertz. */
  readonly sampleRate: number;
  /** Of all samples, in bytes, where it is known: then the head of a WAV file says it. */
  readonly dataBytes?: number;
  readonly signal: AbortSignal;
}

/** The media types of the formats. */
export const AUDIO_MEDIA_TYPES: Readonly<Record<AudioFormat, string>> = {
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
};

/** What ffmpeg is told; each packet is given as soon as it is ready. */
const ENCODERS: Readonly<Partial<Record<AudioFormat, readonly string[]>>> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
  opus: ['-c:a', 'libopus', '-b:a', '32k', '-page_duration', '200000', '-f', 'ogg'],
  flac: ['-c:a', 'flac', '-compression_level', '5', '-f', 'flac'],
};

/** How much of the samples is looked at before anything is written, and how much of what is written is held back. */
const AT_ONCE = ['-probesize', '32', '-analyzeduration', '0', '-fflags', '+nobuffer'];

/**
 * Writes samples of 16 bits, little-endian, mono, as audio of a format, while they come and no faster than it is read.
 * Leaving the loop ends the program. The head of what has no known length says so.
 * @param ffmpeg its path, where it is installed
 * @throws AudioFailed needs_ffmpeg, malformed where ffmpeg fails; the reason of the signal; what the samples throw
 */
export async function* encodeAudio(
  samples: AsyncIterable<Buffer>,
  options: EncodeOptions,
  ffmpeg: string | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const { format, sampleRate, dataBytes, signal } = options;
  signal.throwIfAborted();
  const encoder = ENCODERS[format];
  if (encoder) {
    if (ffmpeg === undefined) throw new AudioFailed('needs_ffmpeg');
    return yield* runEncoder(samples, start(ffmpeg, encoder, sampleRate), signal);
  }
  if (format === 'wav') yield wavHead(sampleRate, dataBytes);
  yield* samples;
}

function start(ffmpeg: string, encoder: readonly string[], sampleRate: number): RunningProgram {
  const input = [...AT_ONCE, '-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
  const output = ['-map_metadata', '-1', ...encoder, '-flush_packets', '1', 'pipe:1'];
  const calm = ['-hide_banner', '-loglevel', 'quiet', '-threads', '1', '-protocol_whitelist', 'pipe'];
  return new RunningProgram({ program: ffmpeg, args: [...calm, ...input, ...output] });
}

async function* runEncoder(
  samples: AsyncIterable<Buffer>,
  program: RunningProgram,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const end = (): void => program.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    const socket = await program.socket;
    if (!socket) throw new AudioFailed('malformed');
    let failed: { readonly error: unknown } | undefined;
    const fed = pipeline(Readable.from(samples, { objectMode: false }), socket).catch((error: unknown) => {
      failed = { error };
      end();
    });
    try {
      yield* socket as AsyncIterable<Buffer>;
    } catch (error) {
      failed ??= { error };
    }
    const code = await program.ended;
    await fed;
    signal.throwIfAborted();
    if (failed && !isClosedPipe(failed.error)) throw failed.error;
    if (code !== 0) throw new AudioFailed('malformed');
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** ffmpeg has ended before it had read everything. */
function isClosedPipe(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
