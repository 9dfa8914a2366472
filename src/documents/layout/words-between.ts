import type { LayoutWord } from './layout.types.js';

/** Those of some words in the order of the text that stand between two places of it. */
export function wordsBetween(words: readonly LayoutWord[], start: number, end: number): readonly LayoutWord[] {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as LayoutWord).end <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < words.length && (words[last] as LayoutWord).start < end) last += 1;
  return words.slice(low, last);
}
