/** A sentence as the rankings see it. */
export type Words = readonly string[];

const TERM_SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const DAMPING = 0.85;
const ROUNDS = 20;

/**
 * How well each sentence matches a question, by BM25; 0 where they have no word in common.
 * @param sentences the collection, in any order
 */
export function scoreByQuestion(sentences: readonly Words[], question: Words): number[] {
  const occurrences = new Map<string, number>();
  for (const words of sentences)
    for (const word of new Set(words)) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  const averageLength = sentences.reduce((sum, words) => sum + words.length, 0) / Math.max(1, sentences.length);
  const weights = new Map(
    question.map((term) => {
      const count = occurrences.get(term) ?? 0;
      return [term, Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5))];
    }),
  );
  return sentences.map((words) => {
    const lengthNorm = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (words.length / Math.max(1, averageLength));
    // By the words of the sentence: a question may have thousands, and be asked of thousands of sentences.
    const frequencies = new Map<string, number>();
    for (const word of words) if (weights.has(word)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    let score = 0;
    for (const [term, frequency] of frequencies) {
      const weight = weights.get(term) ?? 0;
      score += (weight * frequency * (TERM_SATURATION + 1)) / (frequency + TERM_SATURATION * lengthNorm);
    }
    return score;
  });
}

/**
 * How central each sentence is to the text, by TextRank: sentences recommend those that they share words with.
 * Takes time in the square of their number.
 */
export function scoreByCentrality(sentences: readonly Words[]): number[] {
  const sets = sentences.map((words) => new Set(words));
  const links = sets.map((from, i) => sets.map((to, j) => (i === j ? 0 : similarity(from, to))));
  const totals = links.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let scores = sentences.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    scores = scores.map((_, to) => {
      const recommended = scores.reduce((sum, score, from) => {
        const total = totals[from] ?? 0;
        return total === 0 ? sum : sum + (score * (links[from]?.[to] ?? 0)) / total;
      }, 0);
      return 1 - DAMPING + DAMPING * recommended;
    });
  }
  return scores;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (Math.log(1 + a.size) + Math.log(1 + b.size));
}
