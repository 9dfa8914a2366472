import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { AudioFailed } from '../../../src/platform/audio/audio-failed.js';
import { AudioProcessor } from '../../../src/platform/audio/audio-processor.js';
import type { AudioSpan, DecodedAudio } from '../../../src/platform/audio/audio.types.js';
import type { AudioConfig } from '../../../src/platform/audio/config.js';
import { wavHead } from '../../../src/platform/audio/wav/wav-head.js';
import { streamOf } from './extraction.js';
import { scratchFolderAt } from './scratch-folder.js';
import { flitePcm } from './flite.js';
import { resample } from './spoken-sentence.js';

/** A processor of audio with a folder of its own; both are gone with the block that they are opened in. */
export interface AudioBed extends Disposable {
  readonly audio: AudioProcessor;
  readonly folder: string;
  /** A path in the folder that was not given yet. */
  path(name?: string): string;
  /** Decodes bytes; or tells why it cannot. */
  decode(bytes: Uint8Array, options?: { maxSeconds?: number; signal?: AbortSignal }): Promise<DecodedAudio>;
  reasonOf(bytes: Uint8Array, options?: { maxSeconds?: number }): Promise<string>;
}

/** Opens one with these settings in place of the defaults. */
export async function openAudio(settings: Partial<AudioConfig> = {}, parent = tmpdir()): Promise<AudioBed> {
  const folder = mkdtempSync(join(parent, 'audio-'));
  const config = {
    audioProcesses: 2,
    audioSeconds: 60,
    audioMemoryMib: 384,
    audioMaxHours: 24,
    audioEncoders: 8,
    ...settings,
  };
  const audio = await AudioProcessor.open({ config, scratch: { root: folder }, log: pino({ level: 'silent' }) });
  const path = (name = 'file'): string => join(mkdtempSync(join(folder, 'one-')), name);
  const decode: AudioBed['decode'] = (bytes, { maxSeconds, signal = new AbortController().signal } = {}) =>
    audio.decode(streamOf(bytes), { folder: scratchFolderAt(join(path(), '..')), signal, maxSeconds });
  return {
    audio,
    folder,
    path,
    decode,
    reasonOf: (bytes, options) =>
      decode(bytes, options).then(
        () => 'decoded',
        (error: unknown) => (error instanceof AudioFailed ? error.reason : Promise.reject(error as Error)),
      ),
    [Symbol.dispose]: () => {
      audio.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A sentence that the builtin flite says, as a WAV file. */
export function spoken(text: string, { voice = 'slt', rate = 16_000 } = {}): Buffer {
  const { samples, sampleRate } = flitePcm(text, voice);
  const data = sampleRate === rate ? samples : resample(samples, sampleRate, rate);
  return Buffer.concat([wavHead(rate, data.length), data]);
}

/** What sox writes. */
export function sox(args: readonly string[], input?: Uint8Array): Buffer {
  return execFileSync('sox', ['-V0', ...args], { input, maxBuffer: 1024 ** 3, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** What ffmpeg makes of a WAV file. */
export function ffmpeg(wav: Uint8Array, ...args: readonly string[]): Buffer {
  const all = ['-nostdin', '-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0', ...args, 'pipe:1'];
  return execFileSync('ffmpeg', all, { input: wav, maxBuffer: 1024 ** 3 });
}

/** The samples of a WAV file that has the plain head of 44 bytes. */
export function samplesOf(wav: Buffer): Buffer {
  return wav.subarray(44);
}

/** A WAV file of 16 kHz with one channel of 16 bits. */
export function wavOf(...samples: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(samples);
  return Buffer.concat([wavHead(16_000, data.length), data]);
}

/** So much silence, as samples of 16 bits at 16 kHz. */
export function silence(seconds: number): Buffer {
  return Buffer.alloc(Math.round(seconds * 16_000) * 2);
}

/** Spans without the pauses that are shorter than this, in seconds. */
export function withoutPauses(spans: readonly AudioSpan[], longest = 0.4): AudioSpan[] {
  const joined: AudioSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.start - last.end < longest) joined.splice(-1, 1, { start: last.start, end: span.end });
    else joined.push(span);
  }
  return joined;
}
