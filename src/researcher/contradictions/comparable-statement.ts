import { conceptsOf } from '../../platform/text/support/proof/concepts.js';
import type { Concepts } from '../../platform/text/support/proof/concepts.js';
import { linkedFigures } from '../../platform/text/support/proof/figure-links.js';
import { rewritten } from '../../platform/text/support/proof/rewriting.js';
import type { Figure } from '../../platform/text/support/figures.js';
import { loadLanguageWords } from '../../platform/text/support/language-words.js';
import { readStatement } from '../../platform/text/support/statement.js';
import type { Statement } from '../../platform/text/support/statement.js';
import { plainOf } from '../../platform/text/support/words.js';
import { ComparedFigures } from './compared-figures.js';

/** The part of their words that two statements about the same have in common. */
const LEAST_SHARED = 0.8;
/** Statements with fewer words are about anything. */
const LEAST_WORDS = 3;
/** Two numbers, of which one is said to be rough, are no contradiction within this part of the greater one. */
const ROUGH = 0.05;
const ROUGHLY =
  /(?<!\p{L})(?:about|around|roughly|approximately|nearly|almost|some|rund|etwa|circa|ca|ungefähr|fast|knapp)(?!\p{L})/u;
/** In UTF-16 units, also of the compatible characters, of which one may stand for eighteen. */
const LONGEST = 2_000;

/** How one statement stands to another about the same. */
export type Relation = 'same' | 'number' | 'negation';

/** What is compared of a statement. */
interface Said {
  readonly statement: Statement;
  readonly times: ComparedFigures;
  readonly numbers: ComparedFigures;
  /** The groups of its words, and of their opposites: who says rise where another one says fall speaks of another thing. */
  readonly groups: ReadonlySet<string>;
  readonly opposites: readonly string[];
  readonly isNegative: boolean;
  readonly isRough: boolean;
}

/** What a statement says, in the form in which statements of several sources are compared. */
export class ComparableStatement {
  /** How long it is, in UTF-16 units of compatible characters. */
  readonly length: number;
  private readonly concepts: Concepts;
  /** Undefined where it is too long, or a table, and compared with nothing. */
  private readonly said: Said | undefined;

  /** @param language as BCP 47 tag; null where it is not known */
  constructor(text: string, language: string | null) {
    const primary = language?.split(/[-_]/)[0]?.toLowerCase();
    this.concepts = conceptsOf(primary === 'de' ? 'de' : 'en');
    const plain = text.length > LONGEST ? text : plainOf(text);
    this.length = plain.length;
    this.said = plain.length > LONGEST ? undefined : readSaid(plain, this.concepts, primary);
  }

  /**
   * Says how this statement stands to another one: `same` where it says the same, `number` or `negation` where it
   * contradicts it; undefined where they speak of different things or times.
   */
  relationTo({ concepts, said: other }: ComparableStatement): Relation | undefined {
    const { said: own } = this;
    if (!own || !other || this.concepts !== concepts || !speakOfSame(own, other)) return undefined;
    if (own.times.all.length > 0 && other.times.all.length > 0 && !own.times.equals(other.times)) return undefined;
    const haveSameNumbers = own.numbers.equals(other.numbers);
    if (own.isNegative !== other.isNegative) return haveSameNumbers ? 'negation' : undefined;
    if (haveSameNumbers) return 'same';
    return haveOtherNumber(own, other) ? 'number' : undefined;
  }
}

function readSaid(plain: string, concepts: Concepts, language: string | undefined): Said | undefined {
  const text = rewritten(plain, concepts.language);
  const lower = text.toLowerCase();
  const figures = linkedFigures(lower, concepts);
  if (!figures) return undefined;
  const statement = readStatement(text, loadLanguageWords(language));
  const meanings = Array.from(statement.words, (word) => concepts.meaningOf(word));
  return {
    statement,
    times: new ComparedFigures(figures.filter(({ isTime }) => isTime)),
    numbers: new ComparedFigures(figures.filter(({ isTime }) => !isTime)),
    groups: new Set(meanings.flatMap(({ groups }) => groups)),
    opposites: [...new Set(meanings.flatMap((meaning) => concepts.oppositesOf(meaning)))],
    isNegative: statement.clauses.reduce((count, { negations }) => count + negations.size, 0) % 2 === 1,
    isRough: ROUGHLY.test(lower),
  };
}

function speakOfSame(one: Said, other: Said): boolean {
  const [{ stems, names, words }, others] = [one.statement, other.statement];
  if (Math.min(stems.size, others.stems.size) < LEAST_WORDS) return false;
  if (!isSubset(names, others.words) || !isSubset(others.names, words)) return false;
  if (one.opposites.some((group) => other.groups.has(group))) return false;
  let shared = 0;
  for (const stem of stems) if (others.stems.has(stem)) shared += 1;
  return shared / (stems.size + others.stems.size - shared) >= LEAST_SHARED;
}

/** Whether each has a number in a unit in which the other has another one, bounded alike. */
function haveOtherNumber(one: Said, other: Said): boolean {
  const own = one.numbers.all.filter(({ figure }) => !hasFigure(other, figure));
  const others = other.numbers.all.filter(({ figure }) => !hasFigure(one, figure));
  return own.some((mine) =>
    others.some(
      (theirs) =>
        mine.figure.kind === theirs.figure.kind &&
        mine.figure.unit === theirs.figure.unit &&
        mine.bound === theirs.bound &&
        !((one.isRough || other.isRough) && isNear(mine.figure, theirs.figure)),
    ),
  );
}

function hasFigure({ times, numbers }: Said, figure: Figure): boolean {
  return numbers.has(figure) || times.has(figure);
}

function isNear(one: Figure, other: Figure): boolean {
  const [a, b] = [Number(one.readings[0]), Number(other.readings[0])];
  return Math.abs(a - b) <= ROUGH * Math.max(Math.abs(a), Math.abs(b));
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}
