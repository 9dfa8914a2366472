import FFT from 'fft.js';

/** The numbers that describe a frame: cepstral coefficients, without that of the loudness. */
export const COEFFICIENTS = 19;
/** From one frame to the next, in samples at 16 kHz: 10 ms. */
export const HOP = 160;

const RATE = 16_000;
const FRAME = 400;
const SIZE = 512;
const FILTERS = 26;
const LOWEST_HZ = 80;
const HIGHEST_HZ = 7_600;
const PRE_EMPHASIS = 0.97;
/** Below this no sound is told from none. */
const FLOOR = 1e-8;

const window = Float64Array.from({ length: FRAME }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (FRAME - 1)));
const filters = melFilters();
const cosines = Array.from({ length: COEFFICIENTS }, (_, row) =>
  Float64Array.from(
    { length: FILTERS },
    (_unused, column) => Math.sqrt(2 / FILTERS) * Math.cos((Math.PI * (row + 1) * (column + 0.5)) / FILTERS),
  ),
);

/** Frames of speech. */
export interface Frames {
  /** COEFFICIENTS numbers a frame, one frame after another. */
  readonly values: Float64Array;
  /** Of each frame, the sum of its filters in decibels. */
  readonly loudness: Float64Array;
  readonly count: number;
}

/** Mel-frequency cepstral coefficients (Davis and Mermelstein 1980). @param samples 16 bits, at 16 kHz */
export function toFrames(samples: Int16Array): Frames {
  const count = Math.max(0, Math.floor((samples.length - FRAME) / HOP) + 1);
  const values = new Float64Array(count * COEFFICIENTS);
  const loudness = new Float64Array(count);
  const fft = new FFT(SIZE);
  const input = Array.from({ length: SIZE }, () => 0);
  const spectrum = fft.createComplexArray();
  const energies = new Float64Array(FILTERS);
  for (let frame = 0; frame < count; frame += 1) {
    const start = frame * HOP;
    for (let i = 0; i < FRAME; i += 1) {
      const sample = (samples[start + i] ?? 0) - PRE_EMPHASIS * (samples[start + i - 1] ?? 0);
      input[i] = (sample / 32_768) * (window[i] ?? 0);
    }
    fft.realTransform(spectrum, input);
    let sum = 0;
    for (const [index, { from, weights }] of filters.entries()) {
      let energy = 0;
      for (let i = 0; i < weights.length; i += 1) {
        const [real, imaginary] = [spectrum[2 * (from + i)] ?? 0, spectrum[2 * (from + i) + 1] ?? 0];
        energy += (weights[i] ?? 0) * (real * real + imaginary * imaginary);
      }
      energies[index] = Math.log(Math.max(FLOOR, energy));
      sum += energy;
    }
    loudness[frame] = 10 * Math.log10(Math.max(FLOOR, sum));
    for (let row = 0; row < COEFFICIENTS; row += 1) {
      let value = 0;
      for (let i = 0; i < FILTERS; i += 1) value += (cosines[row]?.[i] ?? 0) * (energies[i] ?? 0);
      values[frame * COEFFICIENTS + row] = value;
    }
  }
  return { values, loudness, count };
}

interface Filter {
  /** The first line of the spectrum that counts. */
  readonly from: number;
  readonly weights: Float64Array;
}

/** Triangles of the same width as people hear it. */
function melFilters(): Filter[] {
  const mel = (hertz: number): number => 2_595 * Math.log10(1 + hertz / 700);
  const line = (value: number): number => ((700 * (10 ** (value / 2_595) - 1)) / RATE) * SIZE;
  const step = (mel(HIGHEST_HZ) - mel(LOWEST_HZ)) / (FILTERS + 1);
  return Array.from({ length: FILTERS }, (_, index) => {
    const [low, middle, high] = [0, 1, 2].map((offset) => line(mel(LOWEST_HZ) + (index + offset) * step)) as [
      number,
      number,
      number,
    ];
    const from = Math.ceil(low);
    const weights = Float64Array.from({ length: Math.max(1, Math.floor(high) - from + 1) }, (_unused, offset) => {
      const place = from + offset;
      return Math.max(0, place <= middle ? (place - low) / (middle - low) : (high - place) / (high - middle));
    });
    return { from, weights };
  });
}
