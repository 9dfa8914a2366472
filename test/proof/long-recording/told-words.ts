import type { KnownWord } from './known-talk.js';

const RATE = 16_000;
/** What counts as the beginning and the end of a recording, in seconds. */
const EDGE_SECONDS = 600;

/** A word of a transcript. */
export interface ToldWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** How a transcript differs from what was said. */
export interface ToldErrors {
  readonly words: number;
  /** Words that are not there. */
  readonly lost: number;
  /** Words that are there more than once, and words that nobody said. */
  readonly doubled: number;
  /** Words before which one stands that was said later. */
  readonly misplaced: number;
  /** How far beginnings of words are off, in seconds: 95 of 100 are nearer. */
  readonly p95AtStart: number;
  readonly p95AtEnd: number;
  readonly most: number;
}

/** Compares the words of a transcript with what was said. @param seconds of the recording */
export function compareWords(known: readonly KnownWord[], told: readonly ToldWord[], seconds: number): ToldErrors {
  const starts = new Map(known.map(({ word, start }) => [word, start / RATE]));
  const seen = new Set<string>();
  const offs: { readonly at: number; readonly off: number }[] = [];
  let [doubled, misplaced, latest] = [0, 0, -1];
  for (const { word, start } of told) {
    const at = starts.get(word);
    if (at === undefined || seen.has(word)) {
      doubled += 1;
      continue;
    }
    seen.add(word);
    if (at < latest) misplaced += 1;
    latest = Math.max(latest, at);
    offs.push({ at, off: Math.abs(start - at) });
  }
  const edge = Math.min(EDGE_SECONDS, seconds / 2);
  return {
    words: known.length,
    lost: known.length - seen.size,
    doubled,
    misplaced,
    p95AtStart: p95(offs.filter(({ at }) => at < edge)),
    p95AtEnd: p95(offs.filter(({ at }) => at >= seconds - edge)),
    most: Math.max(...offs.map(({ off }) => off)),
  };
}

/** Infinite where there is none. */
function p95(offs: readonly { readonly off: number }[]): number {
  const sorted = offs.map(({ off }) => off).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}
