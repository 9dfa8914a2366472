import type { MatchCollector, SearchWindow } from '../match-collector.js';
import { KeywordAutomaton } from '../words/keyword-automaton.js';
import type { PatternProgram } from './pattern-program.js';
import { PatternSearch } from './pattern-search.js';
import { SearchMemory } from './search-memory.js';

/** A pattern and the positions of the rules that have it. */
export interface PatternRules {
  readonly program: PatternProgram;
  readonly rules: readonly number[];
}

const NO_ENDS: readonly number[] = [];

/** All patterns of a matcher: one pass finds the texts that must be in their matches. */
export class PatternSet {
  private readonly memory: SearchMemory;

  /** @param owners the pattern that each of the literals belongs to */
  private constructor(
    private readonly patterns: readonly PatternRules[],
    private readonly owners: readonly number[],
    private readonly literals: KeywordAutomaton | undefined,
  ) {
    this.memory = new SearchMemory(Math.max(0, ...patterns.map(({ program }) => program.operations.length)));
  }

  /** Makes one of compiled patterns, in short steps. */
  static *steps(patterns: readonly PatternRules[]): Generator<void, PatternSet, undefined> {
    const literals = patterns.flatMap(({ program }, owner) =>
      (program.literals ?? []).map((literal) => ({ literal, owner })),
    );
    const keywords = literals.map(({ literal }) => literal);
    const owners = literals.map(({ owner }) => owner);
    return new PatternSet(patterns, owners, yield* KeywordAutomaton.steps(keywords));
  }

  /** Begins a search for each pattern in one text. */
  start(): PatternSearch[] {
    return this.patterns.map(({ program, rules }) => new PatternSearch(program, rules, this.memory));
  }

  /** Lets all searches go on to the end of a window, which begins at `origin` in the whole text. */
  advance(searches: readonly PatternSearch[], window: SearchWindow, origin: number, found: MatchCollector): void {
    const ends = new Map<number, number[]>();
    this.literals?.scan(window.text, window.from, (keyword, end) => {
      const owner = this.owners[keyword] ?? 0;
      const known = ends.get(owner);
      if (known) known.push(end);
      else ends.set(owner, [end]);
    });
    searches.forEach((search, index) => search.advance(window, origin, ends.get(index) ?? NO_ENDS, found));
  }
}
