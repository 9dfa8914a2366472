import { conceptsOf } from '../../platform/text/support/proof/concepts.js';
import type { Concepts } from '../../platform/text/support/proof/concepts.js';
import { linkedFigures } from '../../platform/text/support/proof/figure-links.js';
import { rewritten } from '../../platform/text/support/proof/rewriting.js';
import { isSameFigure } from '../../platform/text/support/figures.js';
import type { Figure } from '../../platform/text/support/figures.js';
import { loadLanguageWords } from '../../platform/text/support/language-words.js';
import { readStatement } from '../../platform/text/support/statement.js';
import type { Statement } from '../../platform/text/support/statement.js';
import { plainOf } from '../../platform/text/support/words.js';

/** The part of their words that two statements about the same have in common. */
const LEAST_SHARED = 0.8;
/** Statements with fewer words are about anything. */
const LEAST_WORDS = 3;
/** Statements with more numbers and dates are tables. */
const MOST_FIGURES = 50;
/** Two numbers, of which one is said to be rough, are no contradiction within this part of the greater one. */
const ROUGH = 0.05;
const ROUGHLY =
  /(?<!\p{L})(?:about|around|roughly|approximately|nearly|almost|some|rund|etwa|circa|ca|ungefähr|fast|knapp)(?!\p{L})/u;
const LONGEST = 2_000;
const NONE: ReadonlySet<string> = new Set();

/** How one statement stands to another about the same. */
export type Relation = 'same' | 'number' | 'negation';

/** What a statement says, in the form in which statements of several sources are compared. */
export class ComparableStatement {
  private readonly statement: Statement;
  private readonly concepts: Concepts;
  private readonly figures: ReturnType<typeof linkedFigures>;
  /** The groups of its words, and of their opposites: who says rise where another one says fall speaks of another thing. */
  private readonly groups: ReadonlySet<string>;
  private readonly opposites: readonly string[];
  private readonly isRough: boolean;

  /** @param language as BCP 47 tag; null where it is not known */
  constructor(text: string, language: string | null) {
    const primary = language?.split(/[-_]/)[0]?.toLowerCase();
    this.concepts = conceptsOf(primary === 'de' ? 'de' : 'en');
    const plain = rewritten(plainOf(text.slice(0, LONGEST)), this.concepts.language);
    this.statement = readStatement(plain, loadLanguageWords(primary));
    this.figures = linkedFigures(plain.toLowerCase(), this.concepts);
    const meanings = Array.from(this.statement.words, (word) => this.concepts.meaningOf(word));
    this.groups = new Set(meanings.flatMap(({ groups }) => groups));
    this.opposites = [...new Set(meanings.flatMap((meaning) => this.concepts.oppositesOf(meaning)))];
    this.isRough = ROUGHLY.test(plain.toLowerCase());
  }

  /**
   * Says how this statement stands to another one: `same` where it says the same, `number` or `negation` where it
   * contradicts it; undefined where they speak of different things or times.
   */
  relationTo(other: ComparableStatement): Relation | undefined {
    if (this.concepts !== other.concepts || !this.speaksOfSame(other)) return undefined;
    const [times, otherTimes] = [this.figuresOf(true), other.figuresOf(true)];
    if (times.length > 0 && otherTimes.length > 0 && !areEqual(times, otherTimes)) return undefined;
    const [numbers, otherNumbers] = [this.figuresOf(false), other.figuresOf(false)];
    const isDenied = this.isNegative !== other.isNegative;
    const hasSameNumbers = areEqual(numbers, otherNumbers);
    if (isDenied) return hasSameNumbers ? 'negation' : undefined;
    if (hasSameNumbers) return 'same';
    return this.hasOtherNumber(other) ? 'number' : undefined;
  }

  private get isNegative(): boolean {
    return this.statement.clauses.reduce((count, { negations }) => count + negations.size, 0) % 2 === 1;
  }

  private speaksOfSame(other: ComparableStatement): boolean {
    const { statement } = other;
    const [own, others] = [this.statement.stems, statement.stems];
    if (Math.min(own.size, others.size) < LEAST_WORDS) return false;
    if (!isSubset(this.statement.names, statement.words) || !isSubset(statement.names, this.statement.words))
      return false;
    if (this.figures.length > MOST_FIGURES || other.figures.length > MOST_FIGURES) return false;
    if (this.opposites.some((group) => other.groups.has(group))) return false;
    let shared = 0;
    for (const stem of own) if (others.has(stem)) shared += 1;
    return shared / (own.size + others.size - shared) >= LEAST_SHARED;
  }

  private figuresOf(areTimes: boolean): Figure[] {
    return this.figures.filter(({ isTime }) => isTime === areTimes).map(({ figure }) => figure);
  }

  /** Whether each has a number in a unit in which the other has another one, bounded alike. */
  private hasOtherNumber(other: ComparableStatement): boolean {
    const own = this.figures.filter(({ figure, isTime }) => !isTime && !other.hasFigure(figure));
    const others = other.figures.filter(({ figure, isTime }) => !isTime && !this.hasFigure(figure));
    return own.some((one) =>
      others.some(
        (two) =>
          one.figure.kind === two.figure.kind &&
          one.figure.unit === two.figure.unit &&
          one.bound === two.bound &&
          !((this.isRough || other.isRough) && isNear(one.figure, two.figure)),
      ),
    );
  }

  private hasFigure(figure: Figure): boolean {
    return this.figures.some((own) => isSameFigure(figure, own.figure, NONE));
  }
}

function areEqual(one: readonly Figure[], other: readonly Figure[]): boolean {
  return contains(one, other) && contains(other, one);
}

function contains(all: readonly Figure[], some: readonly Figure[]): boolean {
  return some.every((figure) => all.some((one) => isSameFigure(figure, one, NONE) || isSameFigure(one, figure, NONE)));
}

function isNear(one: Figure, other: Figure): boolean {
  const [a, b] = [Number(one.readings[0]), Number(other.readings[0])];
  return Math.abs(a - b) <= ROUGH * Math.max(Math.abs(a), Math.abs(b));
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}
