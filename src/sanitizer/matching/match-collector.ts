/** A place at which a rule matched, before places are merged. */
export interface FoundMatch {
  readonly start: number;
  readonly end: number;
  /** The position of the rule in its list. */
  readonly rule: number;
}

/** The text that is looked through at once: what is decided before `from` is there as context. */
export interface SearchWindow {
  /** In its normalized form. */
  readonly text: string;
  /** Where what is undecided begins. Before it is at least `CONTEXT_LENGTH`, or all there is. */
  readonly from: number;
  /** Whether the text ends with the window. */
  readonly isFinal: boolean;
}

/**
 * How many normalized UTF-16 units before an undecided place can be looked at. Nothing may depend on what is further
 * away, so that a text has the same matches however it is cut.
 */
export const CONTEXT_LENGTH = 96;

/** Gathers what is found in one window, and what could still become a match. */
export class MatchCollector {
  readonly matches: FoundMatch[] = [];
  private readonly lastOfRules = new Map<number, { start: number; end: number }>();
  /** Where the first candidate begins that is not decided yet. */
  firstOpen = Number.POSITIVE_INFINITY;

  /** Adds a match of each of these rules; those of one rule that overlap are one, so that they take no memory. */
  add(start: number, end: number, rules: readonly number[]): void {
    for (const rule of rules) {
      const last = this.lastOfRules.get(rule);
      if (last && start < last.end && end > last.start) {
        last.start = Math.min(last.start, start);
        last.end = Math.max(last.end, end);
        continue;
      }
      const match = { start, end, rule };
      this.matches.push(match);
      this.lastOfRules.set(rule, match);
    }
  }

  /** Says that what begins here could still become a match. */
  keepFrom(start: number): void {
    if (start < this.firstOpen) this.firstOpen = start;
  }
}
