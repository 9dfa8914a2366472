/** Words of a shingle. */
const WORDS = 5;
/** A text is read in slices of this length, in UTF-16 units; characters of which NFKC makes many become 18 times as many. */
const SLICE = 4_096;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Texts with this likeness are one text. */
export const SAME = 0.9;

/**
 * The runs of five words of a text, each as a hash of 32 bits, sorted, each once (Broder, 1997). A text with fewer words has
 * one run; one without words has none. It takes time in proportion to the text, in steps between which others may have
 * their turn.
 */
export function* shinglesOf(text: string): Generator<void, Uint32Array> {
  const runs = new Set<number>();
  let run: number[] = [];
  for (const slice of slicesOf(text)) {
    for (const [word] of slice.normalize('NFKC').toLowerCase().matchAll(WORD)) {
      run = [...run.slice(1 - WORDS), hashOf(word)];
      if (run.length === WORDS) runs.add(hashOfRun(run));
    }
    yield;
  }
  if (runs.size === 0 && run.length > 0) runs.add(hashOfRun(run));
  return Uint32Array.from(runs).sort();
}

/** A text in slices of whole words, as far as words are not longer than a slice. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const slice = text.slice(at, at + SLICE);
    const space = at + SLICE < text.length ? slice.search(/\s\S*$/) : -1;
    yield space > 0 ? slice.slice(0, space) : slice;
    at += space > 0 ? space : SLICE;
  }
}

/** Whether two texts have nine of ten of their runs in common: what is said twice is then said once. */
export function areSameText(one: Uint32Array, other: Uint32Array): boolean {
  return likenessOf(one, other) >= SAME;
}

/** The part of their runs that two texts have in common, from 0 to 1. */
export function likenessOf(one: Uint32Array, other: Uint32Array): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 1 : 0;
  let shared = 0;
  for (let at = 0, beside = 0; at < one.length && beside < other.length;) {
    const [left = 0, right = 0] = [one[at], other[beside]];
    if (left === right) shared += 1;
    if (left <= right) at += 1;
    if (right <= left) beside += 1;
  }
  return shared / (one.length + other.length - shared);
}

function hashOfRun(words: readonly number[]): number {
  return words.reduce((hash, word) => Math.imul(hash ^ word, FNV_PRIME) >>> 0, FNV_OFFSET);
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME) >>> 0;
  return hash;
}
