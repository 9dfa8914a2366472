/** Words of a shingle. */
const WORDS = 5;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Texts that share so much are one text. */
const SAME = 0.9;

/**
 * The runs of five words of a text, each as a hash of 32 bits, sorted, each once (Broder, 1997). A text with fewer words has
 * one run; one without words has none.
 */
export function shinglesOf(text: string): Uint32Array {
  const words = Array.from(text.normalize('NFKC').toLowerCase().matchAll(WORD), ([word]) => hashOf(word, FNV_OFFSET));
  const runs = new Set<number>();
  for (let first = 0; first < Math.max(1, words.length - WORDS + 1) && words.length > 0; first += 1) {
    let hash = FNV_OFFSET;
    for (const word of words.slice(first, first + WORDS)) hash = Math.imul(hash ^ word, FNV_PRIME) >>> 0;
    runs.add(hash);
  }
  return Uint32Array.from(runs).sort();
}

/** Whether two texts have nine of ten of their runs in common: what is said twice is then said once. */
export function areSameText(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length === 0 || other.length === 0) return one.length === other.length;
  let shared = 0;
  for (let at = 0, beside = 0; at < one.length && beside < other.length; ) {
    const [left = 0, right = 0] = [one[at], other[beside]];
    if (left === right) shared += 1;
    if (left <= right) at += 1;
    if (right <= left) beside += 1;
  }
  return shared / (one.length + other.length - shared) >= SAME;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME) >>> 0;
  return hash;
}
