import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { wordsOf } from './sentences.js';

/** How much a feature of each kind counts: whole words more than pieces of them. */
const WORD_WEIGHT = 1;
const WORD_PAIR_WEIGHT = 0.5;
const GRAM_WEIGHT = 0.25;
const GRAM_CHARACTERS = [3, 4, 5] as const;
/** Words between two questions whether to yield. */
const WORDS_A_STEP = 200;
const LINE_CHARACTERS = 2_000;

/**
 * A vector of a text: words, pairs of words and pieces of words, each hashed to one dimension and a sign, and the whole
 * brought to length 1. Texts that share words or parts of words point the same way; meaning is beyond it. The same text
 * always gets the same vector.
 *
 * @param dimensions how many numbers the vector has
 * @param cooperation of the whole computation that it is part of
 */
export async function hashEmbedding(
  text: string,
  dimensions: number,
  cooperation: CooperativeYield,
): Promise<Float32Array> {
  if (cooperation.isDue) await cooperation.yield();
  const sums = new Float64Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const hash = hashOf(feature);
    const at = hash % dimensions;
    sums[at] = (sums[at] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  };
  let previous: string | undefined;
  let count = 0;
  for (const word of words(text)) {
    count += 1;
    if (count % WORDS_A_STEP === 0 && cooperation.isDue) await cooperation.yield();
    addWord(word, previous, add);
    previous = word;
  }
  return normalized(sums, hashOf(text) % dimensions);
}

function addWord(word: string, previous: string | undefined, add: (feature: string, weight: number) => void): void {
  add(`w ${word}`, WORD_WEIGHT);
  if (previous !== undefined) add(`p ${previous} ${word}`, WORD_PAIR_WEIGHT);
  const padded = `<${word}>`;
  for (const length of GRAM_CHARACTERS) {
    for (let at = 0; at + length <= padded.length; at += 1) add(`g ${padded.slice(at, at + length)}`, GRAM_WEIGHT);
  }
}

/** The words of a text; signs, where it has no words. Long lines come in pieces. */
function* words(text: string): Generator<string> {
  let found = false;
  for (let start = 0; start < text.length; start += LINE_CHARACTERS) {
    for (const word of wordsOf(text.slice(start, start + LINE_CHARACTERS))) {
      found = true;
      yield word;
    }
  }
  if (!found) yield text.trim().slice(0, LINE_CHARACTERS);
}

/** @param axis where the vector points if all features cancel each other out */
function normalized(sums: Float64Array, axis: number): Float32Array {
  const length = Math.hypot(...sums);
  if (length === 0) return Float32Array.from(sums, (_, at) => (at === axis ? 1 : 0));
  return Float32Array.from(sums, (sum) => sum / length);
}

/** FNV-1a over the UTF-16 units, with a last step that spreads the bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
