import type { MatchCollector, SearchWindow } from '../match-collector.js';
import { normalizeWord } from '../normalization/normalize-text.js';
import { isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';
import { KeywordAutomaton, SPACE } from './keyword-automaton.js';
import { unitFolding } from './unit-folding.js';

/** A word or phrase and the position of its rule. */
export interface RuleWord {
  readonly word: string;
  readonly rule: number;
}

/**
 * Finds words and phrases whatever their case and how many spaces are between them, with accents composed or apart
 * (Unicode NFC and NFD); where one begins
 * or ends with a letter or digit of a script that has spaces between words, no such letter or digit stands beside it.
 */
export class WordSet {
  private readonly lengths: readonly number[];

  private constructor(
    keywords: readonly string[],
    private readonly rules: readonly (readonly number[])[],
    private readonly automaton: KeywordAutomaton | undefined,
  ) {
    this.lengths = keywords.map(({ length }) => length);
  }

  /** Makes one, in short steps, of words that `toSearchedWord` has something left of. */
  static *steps(words: readonly RuleWord[]): Generator<void, WordSet, undefined> {
    const rulesByWord = new Map<string, number[]>();
    for (const { word, rule } of words) {
      yield;
      const searched = toSearchedWord(word);
      // A text is not composed, since an accent may come with the next piece: both forms are looked for.
      for (const form of new Set([searched, searched.normalize('NFC'), searched.normalize('NFD')])) {
        const rules = rulesByWord.get(form);
        if (rules) rules.push(rule);
        else rulesByWord.set(form, [rule]);
      }
    }
    const keywords = [...rulesByWord.keys()];
    return new WordSet(keywords, [...rulesByWord.values()], yield* KeywordAutomaton.steps(keywords, true));
  }

  /** Looks through the undecided part of a window. */
  detect(window: SearchWindow, found: MatchCollector): void {
    if (!this.automaton) return;
    const { text, from, isFinal } = window;
    const state = this.automaton.scan(text, from, (keyword, end) => this.check(window, keyword, end, found));
    if (isFinal) return;
    for (const length of this.automaton.openLengths(state)) {
      const start = startOf(text, text.length, length);
      if (joinsWord(text, start)) continue;
      found.keepFrom(start);
      break;
    }
  }

  private check({ text, isFinal }: SearchWindow, keyword: number, end: number, found: MatchCollector): void {
    const start = startOf(text, end, this.lengths[keyword] ?? 0);
    if (joinsWord(text, start)) return;
    if (end === text.length && !isFinal && isWordUnitAt(text, end - 1)) found.keepFrom(start);
    else if (!joinsWord(text, end)) found.add(start, end, this.rules[keyword] ?? []);
  }
}

/** Brings a word into the form in which it is looked for; what is left can be empty. */
export function toSearchedWord(word: string): string {
  return normalizeWord(word).replaceAll(/\s+/g, ' ').trim();
}

/** Where the units begin that end at a place, of which spaces, tabs and line ends in a row count as one. */
function startOf(text: string, end: number, units: number): number {
  let start = end;
  for (let left = units; left > 0; left -= 1) {
    start -= 1;
    if (isSpace(text, start)) while (isSpace(text, start - 1)) start -= 1;
  }
  return start;
}

function isSpace(text: string, place: number): boolean {
  return unitFolding()[text.charCodeAt(place)] === SPACE;
}

/** Whether letters or digits stand on both sides of a place. */
function joinsWord(text: string, place: number): boolean {
  return isWordUnitAt(text, place) && isWordUnitAt(text, place - 1);
}
