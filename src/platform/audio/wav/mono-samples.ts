import { G711 } from './g711.js';
import type { WavFormat } from './wav-format.js';

/** Reads the sample that stands at a place, from -1 to 1. */
type SampleReader = (bytes: Buffer, place: number) => number;

const INTEGERS: Readonly<Record<number, SampleReader>> = {
  // Of 8 bits they are unsigned.
  1: (bytes, place) => ((bytes[place] ?? 0) - 128) / 128,
  2: (bytes, place) => bytes.readInt16LE(place) / 32_768,
  3: (bytes, place) => bytes.readIntLE(place, 3) / 8_388_608,
  4: (bytes, place) => bytes.readInt32LE(place) / 2_147_483_648,
};

const READERS: Readonly<Record<WavFormat['encoding'], (sampleBytes: number) => SampleReader>> = {
  integer: (sampleBytes) => INTEGERS[sampleBytes] ?? (() => 0),
  float: (sampleBytes) => (bytes, place) =>
    clamped(sampleBytes === 8 ? bytes.readDoubleLE(place) : bytes.readFloatLE(place)),
  alaw: () => (bytes, place) => G711.alaw[bytes[place] ?? 0] ?? 0,
  mulaw: () => (bytes, place) => G711.mulaw[bytes[place] ?? 0] ?? 0,
};

/**
 * A function that makes one channel of whole frames: their average, from -1 to 1. What is no number is silence.
 * @returns as many samples as there are frames, in memory of their own
 */
export function monoReader({ encoding, channels, sampleBytes }: WavFormat): (frames: Buffer) => Float32Array {
  const read = READERS[encoding](sampleBytes);
  const frameBytes = channels * sampleBytes;
  return (frames) => {
    const samples = new Float32Array(Math.floor(frames.length / frameBytes));
    for (let index = 0, place = 0; index < samples.length; index += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1, place += sampleBytes) sum += read(frames, place);
      samples[index] = sum / channels;
    }
    return samples;
  };
}

function clamped(sample: number): number {
  return Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(1, sample));
}
