import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { samplesOf } from '../../support/builders/audio.js';
import type { AudioBed } from '../../support/builders/audio.js';
import { scratchFolderAt } from '../../support/builders/scratch-folder.js';
import { asSamples } from './known-talk.js';
import type { KnownTalk } from './known-talk.js';

/** Every fourth sample is enough to find a place by. */
const STEP = 4;
const RATE = 16_000 / STEP;
const PROBE_SECONDS = 1;
/** So far it is looked for. */
const REACH_SECONDS = 0.5;
const PROBES = 25;

/** Formats that recordings come in, as ffmpeg is told to write them. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'WAV, 44.1 kHz, stereo': ['-ar', '44100', '-ac', '2', '-f', 'wav'],
  mp3: ['-b:a', '64k', '-f', 'mp3'],
  'webm with opus': ['-c:a', 'libopus', '-b:a', '32k', '-f', 'webm'],
};

/** How far decoded audio lies from where it was, in seconds. */
export interface DecodedTimes {
  readonly duration: number;
  readonly atStart: number;
  readonly atEnd: number;
}

/** Decodes a recording that was written in another format, and looks where its sentences lie then: the farthest one tells. */
export async function decodedTimes(bed: AudioBed, talk: KnownTalk, format: readonly string[]): Promise<DecodedTimes> {
  const path = bed.path();
  const input = ['-nostdin', '-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0'];
  execFileSync('ffmpeg', [...input, ...format, path], { input: talk.wav });
  const signal = new AbortController().signal;
  const { durationSeconds, wavPath } = await bed.audio.decode(path, { folder: scratchFolderAt(dirname(path)), signal });
  const before = thinned(asSamples(samplesOf(talk.wav)));
  const after = thinned(asSamples(samplesOf(await readFile(wavPath))));
  const places = talk.words.map(({ start }) => Math.round(start / STEP));
  const off = (at: readonly number[]): number => Math.max(...at.map((place) => offAt(before, after, place)));
  return {
    duration: durationSeconds - before.length / RATE,
    atStart: off(places.slice(0, PROBES)),
    atEnd: off(places.slice(-PROBES)),
  };
}

/** Means of a few samples each. */
function thinned(samples: Int16Array): Float32Array {
  const thin = new Float32Array(Math.floor(samples.length / STEP));
  for (let index = 0; index < thin.length; index += 1) {
    for (let part = 0; part < STEP; part += 1) thin[index] = (thin[index] ?? 0) + (samples[index * STEP + part] ?? 0);
  }
  return thin;
}

/** Where it is most alike (the highest normalised correlation). */
function offAt(before: Float32Array, after: Float32Array, place: number): number {
  const [length, reach] = [PROBE_SECONDS * RATE, REACH_SECONDS * RATE];
  let [best, most] = [reach, Number.NEGATIVE_INFINITY];
  for (let lag = -reach; lag <= reach; lag += 1) {
    let [both, other] = [0, 1];
    for (let index = 0; index < length; index += 1) {
      const sample = after[place + lag + index] ?? 0;
      both += sample * (before[place + index] ?? 0);
      other += sample * sample;
    }
    const alike = both / Math.sqrt(other);
    if (alike > most) [best, most] = [lag, alike];
  }
  return Math.abs(best) / RATE;
}
