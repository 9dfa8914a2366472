import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Unavailable } from '../../errors.js';
import { RunningProgram } from '../programs/running-program.js';
import { AudioFailed } from './audio-failed.js';
import type { AudioFormat } from './audio.types.js';
import { wavHead } from './wav/wav-head.js';

/** What one audio is written with. */
interface EncoderParts {
  readonly format: AudioFormat;
  /** The path of ffmpeg, where it is installed. */
  readonly ffmpeg: string | undefined;
  /** How long a reader may take for what it was given, in milliseconds. */
  readonly stallMs: number;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Gives back the encoder's place; may be called more than once. */
  readonly release: () => void;
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

/** Writes one audio. Its place is given back when its program has ended, or where the signal comes before there is one. */
export class Encoder {
  constructor(private readonly parts: EncoderParts) {
    if (parts.signal.aborted) parts.release();
    else parts.signal.addEventListener('abort', parts.release, { once: true });
  }

  /**
   * Writes samples of 16 bits, little-endian, mono, as audio, while they come and no faster than it is read. Leaving the
   * loop ends the program. The head of a WAV file says no length.
   * @param sampleRate in hertz
   * @throws AudioFailed needs_ffmpeg, malformed where ffmpeg fails; Unavailable where the reader is too slow; the reason of
   * the signal; what the samples throw
   */
  async *encode(samples: AsyncIterable<Buffer>, sampleRate: number): AsyncGenerator<Buffer, void, undefined> {
    const { format, ffmpeg, signal } = this.parts;
    signal.throwIfAborted();
    const encoder = ENCODERS[format];
    if (encoder) {
      if (ffmpeg === undefined) throw new AudioFailed('needs_ffmpeg');
      return yield* runEncoder(samples, this.start(ffmpeg, encoder, sampleRate), this.parts);
    }
    if (format === 'wav') yield wavHead(sampleRate);
    yield* samples;
  }

  private start(ffmpeg: string, encoder: readonly string[], sampleRate: number): RunningProgram {
    const { signal, release } = this.parts;
    const program = new RunningProgram({ program: ffmpeg, args: argumentsOf(encoder, sampleRate) });
    signal.removeEventListener('abort', release);
    void program.ended.then(release);
    return program;
  }
}

/** Whether a program writes the format. */
export function needsProgram(format: AudioFormat): boolean {
  return ENCODERS[format] !== undefined;
}

function argumentsOf(encoder: readonly string[], sampleRate: number): string[] {
  const input = [...AT_ONCE, '-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
  const output = ['-map_metadata', '-1', ...encoder, '-flush_packets', '1', 'pipe:1'];
  const calm = ['-hide_banner', '-loglevel', 'quiet', '-threads', '1', '-protocol_whitelist', 'pipe'];
  return [...calm, ...input, ...output];
}

async function* runEncoder(
  samples: AsyncIterable<Buffer>,
  program: RunningProgram,
  { signal, stallMs }: EncoderParts,
): AsyncGenerator<Buffer, void, undefined> {
  const end = (): void => program.kill();
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', end, { once: true });
  try {
    const socket = await program.socket;
    if (!socket) throw new AudioFailed('malformed');
    let failed: { readonly error: unknown } | undefined;
    const fed = pipeline(Readable.from(samples, { objectMode: false }), socket).catch((error: unknown) => {
      failed = { error };
      end();
    });
    let late: Unavailable | undefined;
    const stall = (): void => {
      late = new Unavailable('The sound was read too slowly. Please ask for it again.');
      end();
    };
    try {
      for await (const part of socket as AsyncIterable<Buffer>) {
        // The socket holds little: the program cannot go on, and keeps its place, until the reader does.
        timer = setTimeout(stall, stallMs).unref();
        yield part;
        clearTimeout(timer);
      }
    } catch (error) {
      failed ??= { error };
    }
    const code = await program.ended;
    await fed;
    signal.throwIfAborted();
    if (late) throw late;
    if (failed && !isClosedPipe(failed.error)) throw failed.error;
    if (code !== 0) throw new AudioFailed('malformed');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
}

/** ffmpeg has ended before it had read everything. */
function isClosedPipe(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
