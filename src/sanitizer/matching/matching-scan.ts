import type { BuiltinDetector } from './kinds/builtin-detector.js';
import { CONTEXT_LENGTH, MatchCollector } from './match-collector.js';
import type { FoundMatch, SearchWindow } from './match-collector.js';
import { LONGEST_MATCH, MatchLimitExceeded } from './match-limit-exceeded.js';
import type { ScannedText, TextMatch } from './match.types.js';
import { mergeMatches } from './merge-matches.js';
import { normalizeText } from './normalization/normalize-text.js';
import type { NormalizedText } from '../../platform/text/normalization/normalized-text.js';
import type { PatternSearch } from './patterns/pattern-search.js';
import type { PatternSet } from './patterns/pattern-set.js';
import type { WordSet } from './words/word-set.js';

/**
 * How many UTF-16 units of the original may be held back from one write to the next: what has matched, and what could
 * become a match from within that. Only invisible characters and references can make them more.
 */
const MOST_HELD_BACK = 2 * LONGEST_MATCH;

/** What a matcher looks for. */
export interface Detectors {
  readonly builtin: BuiltinDetector;
  readonly words: WordSet;
  readonly patterns: PatternSet;
}

/**
 * Looks through one text, as it comes in pieces, for all that a matcher looks for. However it is cut, the pieces have
 * together the matches of the whole text.
 */
export class MatchingScan {
  private readonly searches: readonly PatternSearch[];
  /** What is not decided yet, as it was written. */
  private held = '';
  /** The end of what is decided, normalized. */
  private context = '';
  /** Where in the whole normalized text the context begins. */
  private origin = 0;
  /** What patterns have matched in what is held back, by places in the whole normalized text: they do not look twice. */
  private kept: readonly FoundMatch[] = [];

  /** Begins a text. */
  constructor(private readonly detectors: Detectors) {
    this.searches = detectors.patterns.start();
  }

  /**
   * Adds a piece. What could still become a match stays behind, and nothing else does.
   * @throws MatchLimitExceeded where a match, or what could become one, is longer than `LONGEST_MATCH`
   */
  write(piece: string): ScannedText {
    if (piece !== '' && this.held.length > MOST_HELD_BACK) throw new MatchLimitExceeded();
    return this.process(this.held + piece, false);
  }

  /**
   * Answers the rest, when the text has ended.
   * @throws MatchLimitExceeded as `write` does
   */
  end(): ScannedText {
    return this.process(this.held, true);
  }

  private process(text: string, isFinal: boolean): ScannedText {
    const { normalized, decidedEnd } = normalizeText(text, isFinal);
    const from = this.context.length;
    const window: SearchWindow = { text: this.context + normalized.text, from, isFinal };
    const found = new MatchCollector();
    const { builtin, words } = this.detectors;
    if (builtin.isNeeded) builtin.detect(window, found);
    words.detect(window, found);
    if (this.searches.length > 0) this.advancePatterns(window, found);
    const isAllDecided = found.firstOpen >= window.text.length;
    // A candidate may begin in what is decided, as the row of hexadecimal digits around a colon does.
    const firstOpen = Math.max(found.firstOpen, from);
    const open = isAllDecided ? decidedEnd : normalized.toOriginalStart(firstOpen - from);
    const merged = mergeMatches(toOriginal(found, normalized, from));
    const end = findDecidedEnd(merged, open);
    const next = end === decidedEnd ? window.text.length : from + normalized.toIndex(end);
    this.kept = this.kept.filter(({ start }) => start >= this.origin + next);
    const contextStart = Math.max(0, next - CONTEXT_LENGTH);
    this.context = window.text.slice(contextStart, next);
    this.origin += contextStart;
    this.held = text.slice(end);
    const matches = merged.filter((match) => match.end <= end);
    if (matches.some((match) => match.end - match.start > LONGEST_MATCH)) throw new MatchLimitExceeded();
    return { text: text.slice(0, end), matches };
  }

  private advancePatterns(window: SearchWindow, found: MatchCollector): void {
    const added = new MatchCollector();
    this.detectors.patterns.advance(this.searches, window, this.origin, added);
    const matches = added.matches.map((match) => moveMatch(match, this.origin));
    this.kept = [...this.kept, ...matches];
    for (const match of this.kept) found.matches.push(moveMatch(match, -this.origin));
    found.keepFrom(added.firstOpen);
  }
}

function moveMatch({ start, end, rule }: FoundMatch, distance: number): FoundMatch {
  return { start: start + distance, end: end + distance, rule };
}

/** @throws Error where a match begins in what is decided: it has been let through already */
function toOriginal(found: MatchCollector, normalized: NormalizedText, from: number): MatchCollector['matches'] {
  return found.matches.map(({ start, end, rule }) => {
    if (start < from) throw new Error('A match begins in text that was let through.');
    return { start: normalized.toOriginalStart(start - from), end: normalized.toOriginalEnd(end - from), rule };
  });
}

/** A match that reaches into what is open may still grow: it stays with that. */
function findDecidedEnd(merged: readonly TextMatch[], open: number): number {
  let end = open;
  for (const match of merged.toReversed()) if (match.end > end) end = Math.min(end, match.start);
  return end;
}
