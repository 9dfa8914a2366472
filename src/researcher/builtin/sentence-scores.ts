import type { IndexedSentence } from './indexed-sentences.js';

const TERM_SATURATION = 1.2;
const LENGTH_WEIGHT = 0.5;

/**
 * How well sentences match a question: BM25 (Robertson and Zaragoza, 2009), where words beside a sentence count for a part
 * of a word of its own; a sentence with no word of the question has 0. It takes time in proportion to the sentences, in
 * steps between which others may have their turn.
 */
export function* scoreSentences(
  sentences: readonly IndexedSentence[],
  question: ReadonlySet<string>,
): Generator<void, number[]> {
  const occurrences = new Map<string, number>();
  let total = 0;
  for (const { stems, length } of sentences) {
    for (const stem of question) if (stems.has(stem)) occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1);
    total += length;
    yield;
  }
  const average = Math.max(1, total / Math.max(1, sentences.length));
  const weights = new Map(
    Array.from(question, (stem) => {
      const count = occurrences.get(stem) ?? 0;
      return [stem, Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5))] as const;
    }),
  );
  const scores: number[] = [];
  for (const sentence of sentences) {
    scores.push(scoreOf(sentence, weights, average));
    yield;
  }
  return scores;
}

function scoreOf(
  { stems, context, length }: IndexedSentence,
  weights: ReadonlyMap<string, number>,
  average: number,
): number {
  const norm = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (length / average);
  let score = 0;
  let hasOwn = false;
  for (const [stem, weight] of weights) {
    const own = stems.get(stem) ?? 0;
    const frequency = own / norm + (context.get(stem) ?? 0);
    hasOwn ||= own > 0;
    score += (weight * frequency * (TERM_SATURATION + 1)) / (frequency + TERM_SATURATION);
  }
  return hasOwn ? score : 0;
}
