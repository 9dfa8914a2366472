import { readWords } from '../words.js';
import type { Concepts, Meaning } from './concepts.js';

/** Neighbouring words of a sentence. */
export interface WordRange {
  /** All words of the sentence. */
  readonly all: readonly Meaning[];
  /** The places of the first of them, and of the first one behind them. */
  readonly from: number;
  readonly to: number;
}

/** The words of a sentence that are neither stop words nor numbers, each read once. */
export class SentenceWords {
  private readonly starts: readonly number[];
  private readonly all: readonly Meaning[];

  /** @param lower plain, in lower case */
  constructor(lower: string, concepts: Concepts) {
    const known = new Map<string, Meaning>();
    const words = readWords(lower, concepts.language).filter(
      ({ lower: word }) => !concepts.words.isStopWord(word) && !/^\p{N}/u.test(word),
    );
    this.starts = words.map(({ start }) => start);
    this.all = words.map(({ lower: word }) => {
      const meaning = known.get(word) ?? concepts.meaningOf(word);
      known.set(word, meaning);
      return meaning;
    });
  }

  /** Those that begin between two places of the sentence, in UTF-16 units. */
  between(start: number, end: number): WordRange {
    const { starts, all } = this;
    const first = (least: number): number => {
      const place = starts.findIndex((at) => at >= least);
      return place < 0 ? starts.length : place;
    };
    return { all, from: first(start), to: first(end) };
  }
}

/** Counts the words that parts of one sentence share with parts of another one; two words are compared once. */
export class SharedWords {
  /** For each word of the one sentence, the place of the next word of the same meaning from each place of the other. */
  private readonly next = new Map<Meaning, readonly number[]>();

  constructor(private readonly concepts: Concepts) {}

  /** How many words of a part of the one sentence are in a part of the other, which is the same in all calls. */
  count(one: WordRange, other: WordRange): number {
    let count = 0;
    for (let place = one.from; place < one.to; place += 1) {
      const word = one.all[place];
      if (word && (this.nextOf(word, other.all)[other.from] ?? other.to) < other.to) count += 1;
    }
    return count;
  }

  private nextOf(word: Meaning, given: readonly Meaning[]): readonly number[] {
    const known = this.next.get(word);
    if (known) return known;
    const isSame = new Map<Meaning, boolean>();
    const places = Array.from(given, () => given.length);
    let next = given.length;
    for (let place = given.length - 1; place >= 0; place -= 1) {
      const other = given[place];
      if (!other) continue;
      const same = isSame.get(other) ?? this.concepts.isSame(word, other);
      isSame.set(other, same);
      if (same) next = place;
      places[place] = next;
    }
    this.next.set(word, places);
    return places;
  }
}
