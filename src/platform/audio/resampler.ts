import { isAudioRate } from './audio-rates.js';

/** Zero crossings of the filter on each side; more are not heard in speech. */
const CROSSINGS = 16;
/** Of the narrower of the two bands; the rest is the filter's slope. */
const PASSED = 0.92;
/** What a step may multiply: less than a millisecond. */
const STEP_PRODUCTS = 250_000;

/** What changes one rate to another. */
interface Filter {
  /** The factors for each place between two samples. */
  readonly phases: readonly Float32Array[];
  /** Samples of the source on each side of a place. */
  readonly reach: number;
}

/** By their rates: no more than there are pairs of these. */
const filters = new Map<string, Filter>();

/**
 * Changes the rate of signed 16-bit little-endian samples of one channel while they come: a windowed sinc (J. O. Smith,
 * Digital Audio Resampling), so that nothing above the narrower band is folded into it.
 */
export class Resampler {
  /** The most bytes that are to be pushed in one step of a thread that others share. */
  readonly stepBytes: number;
  private readonly phases: readonly Float32Array[];
  private readonly reach: number;
  /** Source samples for one that comes out. */
  private readonly step: number;
  private source: Float32Array;
  /** Of the next sample that comes out, in samples of `source`. */
  private position: number;
  /** Bytes that are half a sample. */
  private odd: Buffer = Buffer.alloc(0);

  /** @param from, to rates of AUDIO_RATES: the filters of others may have any size */
  constructor(from: number, to: number) {
    const { phases, reach } = filterOf(from, to);
    this.phases = phases;
    this.reach = reach;
    this.step = from / to;
    this.stepBytes = 2 * Math.floor((STEP_PRODUCTS * this.step) / (2 * reach));
    this.source = new Float32Array(reach);
    this.position = reach;
  }

  /** What can be told so far. */
  push(samples: Buffer): Buffer {
    const bytes = this.odd.length === 0 ? samples : Buffer.concat([this.odd, samples]);
    const count = bytes.length >> 1;
    this.odd = Buffer.from(bytes.subarray(count * 2));
    const source = new Float32Array(this.source.length + count);
    source.set(this.source);
    for (let index = 0; index < count; index += 1) source[this.source.length + index] = bytes.readInt16LE(index * 2);
    this.source = source;
    return this.take();
  }

  /** The rest. */
  end(): Buffer {
    this.odd = Buffer.alloc(0);
    return this.push(Buffer.alloc(this.reach * 2));
  }

  private take(): Buffer {
    const last = this.source.length - this.reach - 1;
    const count = Math.max(0, Math.floor((last - this.position) / this.step) + 1);
    const samples = Buffer.allocUnsafe(count * 2);
    for (let index = 0; index < count; index += 1) {
      samples.writeInt16LE(this.valueAt(this.position + index * this.step), index * 2);
    }
    this.position += count * this.step;
    const used = Math.max(0, Math.floor(this.position) - this.reach);
    this.source = this.source.slice(used);
    this.position -= used;
    return samples;
  }

  private valueAt(position: number): number {
    const floor = Math.floor(position);
    const nearest = Math.round((position - floor) * this.phases.length);
    // What is nearest to the next sample is that one itself.
    const [base, phase] = nearest === this.phases.length ? [floor + 1, 0] : [floor, nearest];
    const taps = this.phases[phase] as Float32Array;
    const first = base - this.reach + 1;
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1) sum += (taps[tap] as number) * (this.source[first + tap] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}

/** @throws RangeError for another rate */
function filterOf(from: number, to: number): Filter {
  if (!isAudioRate(from) || !isAudioRate(to)) throw new RangeError(`There is no filter from ${from} to ${to} Hz.`);
  const key = `${from} ${to}`;
  const filter = filters.get(key) ?? makeFilter(from, to);
  filters.set(key, filter);
  return filter;
}

function makeFilter(from: number, to: number): Filter {
  const band = PASSED * Math.min(1, to / from);
  const reach = Math.ceil(CROSSINGS / band);
  const count = to / greatestCommonDivisor(from, to);
  return { phases: Array.from({ length: count }, (_, phase) => tapsOf(phase / count, band, reach)), reach };
}

/** The filter for a place that lies `fraction` behind a sample; its sum is 1. */
function tapsOf(fraction: number, band: number, reach: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = tap - (reach - 1) - fraction;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
    const angle = Math.PI * distance * band;
    return window * (angle === 0 ? 1 : Math.sin(angle) / angle);
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
