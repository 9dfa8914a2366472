import { bicGain } from './gaussian.js';
import type { Gaussian } from './gaussian.js';

/** The weight of the penalty for telling two voices apart; see `change-points.ts`. */
const LAMBDA = 4;
/** So many are compared with each other at once: the work grows with the square. */
const BLOCK = 300;

/** Voices that are one person's. */
export interface Voice {
  readonly model: Gaussian;
  /** Numbers of the pieces. */
  readonly members: readonly number[];
}

/** Puts pieces of speech together, the most alike first, as long as one person describes them better than two. */
export function mergeVoices(pieces: readonly Voice[]): Voice[] {
  if (pieces.length <= BLOCK) return mergeBlock(pieces);
  const merged = Array.from({ length: Math.ceil(pieces.length / BLOCK) }, (_, index) =>
    mergeBlock(pieces.slice(index * BLOCK, (index + 1) * BLOCK)),
  ).flat();
  return merged.length < pieces.length ? mergeVoices(merged) : mergeBlock(merged);
}

function mergeBlock(pieces: readonly Voice[]): Voice[] {
  const voices: (Voice | undefined)[] = [...pieces];
  const gains = voices.map((one, index) => voices.slice(0, index).map((other) => gainOf(one as Voice, other as Voice)));
  for (;;) {
    const [row, column] = lowest(gains, voices);
    if (row < 0) return voices.filter((voice) => voice !== undefined);
    const [one, other] = [voices[row] as Voice, voices[column] as Voice];
    const merged = { model: one.model.combine(other.model), members: [...one.members, ...other.members] };
    voices[row] = undefined;
    voices[column] = merged;
    for (const [index, voice] of voices.entries()) {
      if (!voice || index === column) continue;
      const [high, low] = index > column ? [index, column] : [column, index];
      (gains[high] as number[])[low] = gainOf(voice, merged);
    }
  }
}

/** The two that are most alike; -1 where all are different. */
function lowest(gains: readonly (readonly number[])[], voices: readonly (Voice | undefined)[]): [number, number] {
  let [row, column, least] = [-1, -1, 0];
  for (const [index, line] of gains.entries()) {
    if (!voices[index]) continue;
    for (const [other, gain] of line.entries()) {
      if (gain < least && voices[other]) [row, column, least] = [index, other, gain];
    }
  }
  return [row, column];
}

function gainOf(one: Voice, other: Voice): number {
  return bicGain(one.model, other.model, LAMBDA);
}
