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
  private readonly literals: KeywordAutomaton | null;
  /** The pattern that each keyword belongs to. */
  private readonly owners: number[] = [];
  private readonly memory: SearchMemory;

  /** Takes compiled patterns. */
  constructor(private readonly patterns: readonly PatternRules[]) {
    const keywords: string[] = [];
    patterns.forEach(({ program }, owner) => {
      for (const literal of program.literals ?? []) {
        keywords.push(literal);
        this.owners.push(owner);
      }
    });
    this.memory = new SearchMemory(Math.max(0, ...patterns.map(({ program }) => program.operations.length)));
    this.literals = keywords.length > 0 ? new KeywordAutomaton(keywords) : null;
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
