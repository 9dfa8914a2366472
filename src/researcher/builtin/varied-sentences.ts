import type { IndexedSentence } from './indexed-sentences.js';

/** The best ones among which variety is looked for. */
const CANDIDATES = 200;
/** How much a match counts against being another one's repetition. */
const RELEVANCE = 0.8;

/**
 * Chooses sentences that match well and differ from each other, by maximal marginal relevance (Carbonell and Goldstein,
 * 1998). Of equals the first is chosen; the same scores always give the same choice.
 * @param scores one for each sentence; sentences of 0 are not chosen
 * @param least a sentence that matches less well than this part of the best one is not chosen
 * @returns at most `count` indexes, the best first
 */
export function chooseVaried(
  sentences: readonly IndexedSentence[],
  scores: readonly number[],
  count: number,
  least = 0.35,
): number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const candidates = scores
    .map((score, index) => ({ index, relevance: best === 0 ? 0 : score / best, likeness: 0 }))
    .filter(({ relevance }) => relevance > 0 && relevance >= least)
    .sort((a, b) => b.relevance - a.relevance || a.index - b.index)
    .slice(0, CANDIDATES);
  const chosen: number[] = [];
  while (chosen.length < count && candidates.length > 0) {
    const value = ({ relevance, likeness }: (typeof candidates)[number]): number =>
      RELEVANCE * relevance - (1 - RELEVANCE) * likeness;
    const next = candidates.reduce((one, other) => (value(other) > value(one) ? other : one));
    candidates.splice(candidates.indexOf(next), 1);
    chosen.push(next.index);
    for (const candidate of candidates) {
      const likeness = likenessOf(sentences[candidate.index], sentences[next.index]);
      candidate.likeness = Math.max(candidate.likeness, likeness);
    }
  }
  return chosen;
}

/** The part of all their stems that both have. */
function likenessOf(one: IndexedSentence | undefined, other: IndexedSentence | undefined): number {
  if (!one || !other) return 0;
  let shared = 0;
  for (const stem of one.stems.keys()) if (other.stems.has(stem)) shared += 1;
  return shared / Math.max(1, one.stems.size + other.stems.size - shared);
}
