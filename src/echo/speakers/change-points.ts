import { bicGain, Gaussian } from './gaussian.js';
import { COEFFICIENTS } from './mfcc.js';
import type { Frames } from './mfcc.js';

/** The weight of the penalty; how it was chosen is in test/proof/speakers/RESULTS.md. */
const LAMBDA = 1.5;
/** The shortest piece, in frames of 10 ms. */
const SHORTEST = 80;
/** How far apart places are that are looked at, in frames. */
const STEP = 5;
/** Frames that are so much quieter than the loudest are no voice, in decibels. */
const QUIET_DB = 35;

/** A piece of a stretch of speech, in frames, and what is known of its voice. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly voice: Gaussian;
}

/** Cuts a stretch of speech where its voice changes. */
export function splitAtChanges(frames: Frames): Piece[] {
  const sums = runningSums(frames);
  const whole = Math.ceil(frames.count / STEP);
  return split(0, whole, sums).map(([from, to]) => ({
    from: from * STEP,
    to: Math.min(frames.count, to * STEP),
    voice: between(sums, from, to),
  }));
}

/** At the best place first, then each part again. */
function split(from: number, to: number, sums: readonly Gaussian[]): [number, number][] {
  const margin = SHORTEST / STEP;
  const both = between(sums, from, to);
  let [best, bestGain] = [0, 0];
  for (let place = from + margin; place <= to - margin; place += 1) {
    const gain = bicGain(between(sums, from, place), between(sums, place, to), LAMBDA, both);
    if (gain > bestGain) [best, bestGain] = [place, gain];
  }
  return bestGain > 0 ? [...split(from, best, sums), ...split(best, to, sums)] : [[from, to]];
}

/** What is known of all frames before each place. */
function runningSums({ values, loudness, count }: Frames): Gaussian[] {
  const loudest = loudness.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const sums = [new Gaussian()];
  for (let start = 0; start < count; start += STEP) {
    const sum = (sums.at(-1) as Gaussian).combine(new Gaussian());
    for (let frame = start; frame < Math.min(count, start + STEP); frame += 1) {
      if ((loudness[frame] ?? 0) > loudest - QUIET_DB) sum.addFrame(values, frame * COEFFICIENTS);
    }
    sums.push(sum);
  }
  return sums;
}

function between(sums: readonly Gaussian[], from: number, to: number): Gaussian {
  return (sums[to] as Gaussian).combine(sums[from] as Gaussian, -1);
}
