import { figuresOf } from './figures.js';
import type { Figure } from './figures.js';
import type { LanguageWords } from './language-words.js';
import { namesOf } from './names.js';
import { isContrast, toNegation } from './negations.js';
import type { NegationKind } from './negations.js';
import { toNumberWord } from './number-words.js';
import { toScale, toUnit } from './units.js';
import { plainOf, readWords } from './words.js';

/** A part of a sentence between commas and words such as `but`. */
export interface Clause {
  readonly stems: ReadonlySet<string>;
  /** How it denies; none where it does not. */
  readonly negations: ReadonlySet<NegationKind>;
}

/** What a sentence says, as far as it can be compared. */
export interface Statement {
  readonly figures: readonly Figure[];
  /** The units that it speaks of, with numbers or without. */
  readonly units: ReadonlySet<string>;
  /** Words that must stand in a source as they are, in lower case. */
  readonly names: ReadonlySet<string>;
  /** All words in lower case. */
  readonly words: ReadonlySet<string>;
  /** The stems of the words that are neither stop words nor numbers, units or negations. */
  readonly stems: ReadonlySet<string>;
  readonly clauses: readonly Clause[];
}

const UNIT_LIKE = /°?\p{L}[\p{L}\d/]*|[%€$£¥]/gu;

/** Reads what a sentence says. */
export function readStatement(sentence: string, known: LanguageWords): Statement {
  const text = plainOf(sentence);
  const words = readWords(text, known.language);
  const clauses: { stems: Set<string>; negations: Set<NegationKind> }[] = [];
  let clause: (typeof clauses)[number] | undefined;
  for (const { lower, isAfterBreak } of words) {
    if (!clause || isAfterBreak || isContrast(lower)) {
      clause = { stems: new Set(), negations: new Set() };
      clauses.push(clause);
    }
    const negation = toNegation(lower, known.language);
    if (negation) clause.negations.add(negation);
    else if (isContent(lower, known)) clause.stems.add(known.stem(lower));
  }
  const lower = text.toLowerCase();
  return {
    figures: figuresOf(lower, known.language),
    units: new Set((lower.match(UNIT_LIKE) ?? []).flatMap((word) => toUnit(word) ?? [])),
    names: namesOf(words, known),
    words: new Set(words.map(({ lower }) => lower)),
    stems: new Set(clauses.flatMap(({ stems }) => [...stems])),
    clauses,
  };
}

function isContent(word: string, known: LanguageWords): boolean {
  if (known.isStopWord(word) || /^\p{N}/u.test(word)) return false;
  if (toUnit(word) !== undefined || toScale(word, known.language) !== undefined) return false;
  return toNumberWord(word, known.language)?.isCertain !== true;
}
