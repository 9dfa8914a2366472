import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { MEBIBYTE } from '../config/variables.js';
import type { ChildCommand } from '../extraction/child/child-command.js';
import { ChildFailed } from '../extraction/child/child-failed.js';
import { ChildPool } from '../extraction/child/child-pool.js';
import { findProgram } from '../programs/find-program.js';
import type { Scratch } from '../scratch/scratch.js';
import type { HealthCheck } from '../telemetry/health.js';
import type { Gauge } from '../telemetry/metrics.js';
import { AudioFailed, toAudioFailure } from './audio-failed.js';
import type { AudioFormat, AudioSpan, AudioType, DecodedAudio, DecodeOptions } from './audio.types.js';
import type { AudioConfig } from './config.js';
import { DECODED_STEP_BYTES } from './decoding/decode-task.types.js';
import type { DecodeAnswer, DecodeTask } from './decoding/decode-task.types.js';
import { AUDIO_DETECTION_BYTES, detectAudio } from './detect-audio.js';
import { Encoders } from './encoders.js';

const ENTRY = new URL(`./audio.child${extname(import.meta.url)}`, import.meta.url);
const SECONDS_AN_HOUR = 3_600;
/** Starting a child takes longer than most turns of a live session; one that has grown is replaced before. */
const TASKS = 500;
/** A child keeps hardly anything but buffers: with 8 it has 60 MiB more, and is no faster. */
const SEMI_SPACE_MIB = 1;
/** How long audio becomes is known when it is decoded: so much of the disk is set aside beyond what is written. */
const AHEAD_BYTES = 2 * DECODED_STEP_BYTES;

interface Parts {
  readonly config: AudioConfig;
  readonly scratch: Pick<Scratch, 'root'>;
  readonly log: Logger;
}

/** Decodes audio and finds speech in it, in child processes with limits of time and memory; writes it in other formats. */
export class AudioProcessor {
  /** The children, for metrics and tests. */
  readonly children: ChildPool;
  /** What writes audio. */
  readonly encoders: Encoders;
  private readonly wavChild: ChildCommand;
  private readonly ffmpegChild: ChildCommand;
  private readonly maxSeconds: number;

  private constructor(
    { config, scratch, log }: Parts,
    /** Its absolute path; undefined: WAV alone is read and written. */
    readonly ffmpeg: string | undefined,
  ) {
    const command = { entry: ENTRY, loadsAddons: true, semiSpaceMib: SEMI_SPACE_MIB, writes: scratch.root };
    this.wavChild = { ...command, startsPrograms: false };
    this.ffmpegChild = { ...command, startsPrograms: true };
    this.maxSeconds = config.audioMaxHours * SECONDS_AN_HOUR;
    this.encoders = new Encoders({ ffmpeg, places: config.audioEncoders });
    this.children = new ChildPool({
      name: 'audio',
      processes: config.audioProcesses,
      seconds: config.audioSeconds,
      memoryMib: config.audioMemoryMib,
      tasks: TASKS,
      isFair: true,
      log,
    });
  }

  /** Looks whether ffmpeg is installed; children are started when they are needed. */
  static async open(parts: Parts): Promise<AudioProcessor> {
    return new AudioProcessor(parts, await findProgram('ffmpeg'));
  }

  /** What this machine can write. */
  get formats(): readonly AudioFormat[] {
    return this.ffmpeg ? ['mp3', 'opus', 'flac', 'wav', 'pcm'] : ['wav', 'pcm'];
  }

  /** Running children and waiting files, and what writes audio. */
  get gauges(): readonly Gauge[] {
    return [...this.children.gauges, ...this.encoders.gauges];
  }

  /** `off` without ffmpeg. */
  readonly check: HealthCheck = () => (this.ffmpeg ? 'ok' : 'off');

  /** Whether a file of this type can be decoded here. */
  canDecode({ demuxers }: AudioType): boolean {
    return demuxers === undefined || this.ffmpeg !== undefined;
  }

  /**
   * Decodes a file, and finds where somebody speaks. It waits for a free child.
   * @param file an absolute path, or the bytes of the file, which are destroyed in any case
   * @throws AudioFailed with a reason, `needs_ffmpeg` also with the type of the file; the reason of the signal; what the
   * stream throws
   */
  async decode(file: string | Readable, options: DecodeOptions): Promise<DecodedAudio> {
    try {
      const source = typeof file === 'string' ? await pathSource(file) : await streamSource(file);
      const type = await detectAudio(source.head);
      if (source.head.length === 0) throw new AudioFailed('empty');
      if (!type) throw new AudioFailed('unsupported_media_type');
      if (!this.canDecode(type)) throw new AudioFailed('needs_ffmpeg', type);
      return await this.decodeAs(type, source, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof ChildFailed) throw toAudioFailure(error.reason);
      throw error;
    } finally {
      if (typeof file !== 'string') file.destroy();
    }
  }

  /** Sees to it that a child is ready, so that the next WAV file need not wait for one to start. Never fails. */
  warm(): void {
    try {
      this.children.warm(this.wavChild);
    } catch {
      // Whoever needs it tries once more.
    }
  }

  /** Ends all children. */
  close(): void {
    this.children.close();
  }

  private async decodeAs(type: AudioType, source: Source, options: DecodeOptions): Promise<DecodedAudio> {
    const { folder, maxSeconds = this.maxSeconds } = options;
    const wavPath = join(folder.path, 'decoded.wav');
    const task: DecodeTask = { wavPath, maxSeconds: Math.min(maxSeconds, this.maxSeconds) };
    if (type.demuxers === undefined) {
      return { type, wavPath, ...(await this.run(this.wavChild, task, source.read(), options)) };
    }
    // ffmpeg reads from files alone: an index may stand at the end.
    const path = source.path ?? (await folder.write('source', source.read(), options));
    const ffmpeg = { program: this.ffmpeg ?? '', path, demuxers: type.demuxers };
    return { type, wavPath, ...(await this.run(this.ffmpegChild, { ...task, ffmpeg }, Readable.from([]), options)) };
  }

  private async run(
    command: ChildCommand,
    task: DecodeTask,
    input: Readable,
    { folder, signal, turn }: DecodeOptions,
  ): Promise<Pick<DecodedAudio, 'durationSeconds' | 'sizeBytes' | 'spans'>> {
    await folder.reserve(AHEAD_BYTES);
    let written = 0;
    const spans: AudioSpan[] = [];
    let whole: Pick<DecodedAudio, 'durationSeconds' | 'sizeBytes'> | undefined;
    const answers = this.children.run(command, { task, input, signal, turn }) as AsyncIterable<DecodeAnswer>;
    for await (const answer of answers) {
      if ('spans' in answer) spans.push(...answer.spans);
      else if ('writtenBytes' in answer) {
        await folder.reserve(answer.writtenBytes - written);
        folder.written(answer.writtenBytes - written);
        written = answer.writtenBytes;
      } else whole = answer;
    }
    if (!whole) throw new AudioFailed('malformed');
    folder.written(whole.sizeBytes - written);
    folder.release(AHEAD_BYTES - (whole.sizeBytes - written));
    return { ...whole, spans };
  }
}

/** A file whose beginning is known. */
interface Source {
  readonly head: Buffer;
  /** Undefined: it lies nowhere. */
  readonly path?: string;
  /** All of it, once. */
  read(): Readable;
}

async function pathSource(path: string): Promise<Source> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(AUDIO_DETECTION_BYTES), 0, AUDIO_DETECTION_BYTES, 0);
  return {
    head: buffer.subarray(0, bytesRead),
    path,
    read: () => createReadStream(path, { highWaterMark: MEBIBYTE }),
  };
}

async function streamSource(stream: Readable): Promise<Source> {
  const bytes = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const chunks: Buffer[] = [];
  for (let size = 0; size < AUDIO_DETECTION_BYTES;) {
    const { done, value } = await bytes.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return { head: Buffer.concat(chunks), read: () => Readable.from(joined(chunks, bytes), { objectMode: false }) };
}

async function* joined(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
