/** How much the first places count more than later ones: Cormack et al., Reciprocal Rank Fusion (SIGIR 2009). */
const DAMPING = 60;

/** Something that was found, the higher its score the better. */
export interface Ranked {
  readonly id: string;
  readonly score: number;
}

/**
 * Joins rankings by places alone, since scores of different ways to search say nothing of each other.
 * @param weights how much each ranking counts, over 0; alike where they are left out
 * @returns each entry once with a score from 0 to 1, the best first: 1 for what is first in all of them
 */
export function fuseRankings(
  rankings: readonly (readonly Ranked[])[],
  weights: readonly number[] = rankings.map(() => 1),
): Ranked[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scores = new Map<string, number>();
  for (const [number, ranking] of rankings.entries()) {
    const share = (weights[number] ?? 0) / total;
    for (const [place, { id }] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + share * ((DAMPING + 1) / (DAMPING + 1 + place)));
    }
  }
  const fused = Array.from(scores, ([id, score]) => ({ id, score }));
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
