import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { wordsOf } from './sentences.js';

/** How much a feature of each kind counts: whole words more than pieces of them. */
const WORD_WEIGHT = 1;
const WORD_PAIR_WEIGHT = 0.5;
const GRAM_WEIGHT = 0.25;
const [SHORTEST_GRAM, LONGEST_GRAM] = [3, 5];
/** What the hash of each kind of feature begins with, so that a word is not the same feature as a piece of one. */
const START = 0x811c9dc5;
const [WORD, WORD_PAIR, GRAM] = ['w ', 'p ', 'g '].map((kind) => hashed(kind, START)) as [number, number, number];
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
  const add = (state: number, weight: number): void => {
    const hash = spread(state);
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
  return normalized(sums, spread(hashed(text, START)) % dimensions);
}

function addWord(word: string, previous: string | undefined, add: (state: number, weight: number) => void): void {
  add(hashed(word, WORD), WORD_WEIGHT);
  if (previous !== undefined) add(hashed(` ${word}`, hashed(previous, WORD_PAIR)), WORD_PAIR_WEIGHT);
  const padded = `<${word}>`;
  for (let start = 0; start + SHORTEST_GRAM <= padded.length; start += 1) {
    let state = hashed(padded, GRAM, start, start + SHORTEST_GRAM);
    add(state, GRAM_WEIGHT);
    for (let at = start + SHORTEST_GRAM; at < Math.min(start + LONGEST_GRAM, padded.length); at += 1) {
      state = hashed(padded, state, at, at + 1);
      add(state, GRAM_WEIGHT);
    }
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
  const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
  if (length === 0) return Float32Array.from(sums, (_, at) => (at === axis ? 1 : 0));
  const vector = new Float32Array(sums.length);
  for (const [at, sum] of sums.entries()) vector[at] = sum / length;
  return vector;
}

/** FNV-1a over UTF-16 units, on from the state of what comes before them. No text is cut out for it: that took most of the time. */
function hashed(text: string, state: number, start = 0, end = text.length): number {
  let hash = state;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** A last step that spreads the bits. */
function spread(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
