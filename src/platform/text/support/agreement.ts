import { isSameFigure } from './figures.js';
import type { Clause, Statement } from './statement.js';

/** The part of a sentence's content words that its source must have; chosen on the labelled pairs of the tests. */
const LEAST_SHARE = 0.6;
/** The same in scripts without capitals, where names cannot be told. */
const LEAST_SHARE_WITHOUT_CAPITALS = 0.7;

/** The same of several sentences, which have more words. */
const LEAST_SHARE_OF_SEVERAL = 0.8;

/** A shorter word is part of many others. */
const LEAST_COMMON_LETTERS = 5;
const NO_UNITS: ReadonlySet<string> = new Set();
const UNCASED = /\p{Lo}/u;

/** A sentence that may support another one. */
export interface Source {
  readonly statement: Statement;
  /** The stems of the other sentence that it has. */
  readonly found: ReadonlySet<string>;
}

/** Compares sentences with one that somebody has written. */
export class Agreement {
  private readonly stems: readonly string[];
  private readonly leastShare: number;

  /** @param isComposing whether the beginning or the end of a word tells that it is the same */
  constructor(
    private readonly claim: Statement,
    private readonly isComposing: boolean,
  ) {
    this.stems = [...claim.stems];
    const isUncased = this.stems.some((stem) => UNCASED.test(stem));
    this.leastShare = isUncased ? LEAST_SHARE_WITHOUT_CAPITALS : LEAST_SHARE;
  }

  /** Compares one sentence, once, whatever neighbours it is looked at with. */
  toSource(statement: Statement): Source {
    return { statement, found: new Set(this.stems.filter((stem) => this.hasStem(statement, stem))) };
  }

  /**
   * Says how well neighbouring sentences support the other one: the part of its content words that they have.
   * @returns undefined where they do not: something is missing in them, or contradicts it
   */
  measure(sources: readonly Source[]): number | undefined {
    const share = this.shareOf(sources);
    if (share < (sources.length > 1 ? Math.max(this.leastShare, LEAST_SHARE_OF_SEVERAL) : this.leastShare))
      return undefined;
    const statements = sources.map(({ statement }) => statement);
    const isThere = this.findMissing(statements) === undefined;
    const isOne = sources.length === 1 || (this.needsAll(sources) && !this.hasRival(statements));
    return isThere && isOne ? share : undefined;
  }

  /** Says which of a number, a name and a negation is not in statements as the sentence has it; undefined where all are. */
  findMissing(statements: readonly Statement[]): 'number' | 'name' | 'negation' | undefined {
    const { figures, names, clauses } = this.claim;
    if (!figures.every((claimed) => !claimed.isCertain || hasFigure(statements, claimed))) return 'number';
    if (![...names].every((name) => statements.some((statement) => this.hasName(statement, name)))) return 'name';
    return clauses.every((clause) => this.isDeniedAlike(clause, statements)) ? undefined : 'negation';
  }

  private shareOf(sources: readonly Source[]): number {
    if (this.stems.length === 0) return 1;
    const count = this.stems.filter((stem) => sources.some(({ found }) => found.has(stem))).length;
    return count / this.stems.length;
  }

  private hasName(statement: Statement, name: string): boolean {
    const { words } = statement;
    const forms = [name, `${name}s`, name.replace(/s$/, '')];
    return forms.some((form) => words.has(form)) || this.hasStem(statement, name);
  }

  /** Whether a stem, or a word that is composed with it, is in a sentence or a part of one. */
  private hasStem({ stems }: Pick<Statement, 'stems'>, stem: string): boolean {
    if (stems.has(stem)) return true;
    if (!this.isComposing || stem.length < LEAST_COMMON_LETTERS) return false;
    for (const other of stems) {
      const [short, long] = other.length < stem.length ? [other, stem] : [stem, other];
      if (short.length >= LEAST_COMMON_LETTERS && (long.endsWith(short) || long.startsWith(short))) return true;
    }
    return false;
  }

  /** Whether the clauses that speak of the same deny as a clause of the sentence does. */
  private isDeniedAlike(clause: Clause, statements: readonly Statement[]): boolean {
    const clauses = statements.flatMap((statement) => statement.clauses);
    const shared = clauses.map((other) => [...clause.stems].filter((stem) => this.hasStem(other, stem)).length);
    const most = Math.max(...shared, 0);
    const near = clauses.filter((_, index) => (shared[index] ?? 0) * 2 >= most);
    const negations = new Set(near.flatMap((other) => [...other.negations]));
    // `No notice is needed` and `without notice` deny alike; `not without notice` does not.
    return most === 0 ? clause.negations.size <= negations.size : clause.negations.size === negations.size;
  }

  /** Whether each sentence has a word or a figure that the others lack. */
  private needsAll(sources: readonly Source[]): boolean {
    return sources.every(({ statement, found }) => {
      const others = sources.filter((other) => other.statement !== statement);
      const isOnlyThere = (stem: string): boolean => !others.some((other) => other.found.has(stem));
      const statements = others.map((other) => other.statement);
      return (
        [...found].some(isOnlyThere) ||
        this.claim.figures.some((figure) => hasFigure([statement], figure) && !hasFigure(statements, figure))
      );
    });
  }

  /** Whether a sentence has another number where the claim has one, as `A is 5 €. B is 7 €.` for `A is 7 €.` */
  private hasRival(statements: readonly Statement[]): boolean {
    const { figures } = this.claim;
    const claimed = figures.filter(({ isCertain, unit }) => isCertain && unit !== '');
    return statements.some((statement) =>
      claimed.some(
        (figure) =>
          !hasFigure([statement], figure) &&
          statement.figures.some(
            (given) =>
              given.isCertain &&
              given.unit === figure.unit &&
              !figures.some((own) => isSameFigure(own, given, NO_UNITS)),
          ),
      ),
    );
  }
}

function hasFigure(statements: readonly Statement[], claimed: Statement['figures'][number]): boolean {
  return statements.some(({ figures, units }) => figures.some((given) => isSameFigure(claimed, given, units)));
}
