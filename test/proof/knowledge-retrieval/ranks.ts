/** How many passages are asked for. */
export const TOP_K = 10;

/** The place of the first passage of a page that answers the question, from 1; undefined where none is among them. */
export type Rank = number | undefined;

/** Finds it among the file names of passages, the best passage first. */
export function rankOf(filenames: readonly string[], isAnswer: (filename: string) => boolean): Rank {
  const place = filenames.findIndex(isAnswer);
  return place < 0 ? undefined : place + 1;
}

/** Whether an answer is among the first so many passages. */
export function isHit(rank: Rank, among: number): boolean {
  return rank !== undefined && rank <= among;
}

/** 1 for an answer that comes first, 1/2 for one that is second; 0 where there is none. */
export function reciprocal(rank: Rank): number {
  return rank === undefined ? 0 : 1 / rank;
}

/** The share of ranks among the first so many. */
export function hitRate(ranks: readonly Rank[], among: number): number {
  return mean(ranks.map((rank) => Number(isHit(rank, among))));
}

/** The mean reciprocal rank. */
export function meanReciprocal(ranks: readonly Rank[]): number {
  return mean(ranks.map(reciprocal));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
