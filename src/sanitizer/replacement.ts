import type { MatchKind, ScannedText, TextMatch } from './matching/match.types.js';

/** What is done with the text that a rule finds. */
export const SANITIZER_ACTIONS = ['mask', 'block', 'pseudonymize'] as const;

/** One way to treat the text that a rule finds. */
export type SanitizerAction = (typeof SANITIZER_ACTIONS)[number];

/**
 * The rule that decides where several have matched: one that blocks, else the first. So no policy weakens another that
 * blocks, no policy of a tenant weakens one for everybody, and of the others that of the higher priority holds.
 * @param rules in the order of their policies (those for everybody first), at least one
 */
export function decidingRule<R extends { readonly action: SanitizerAction }>(rules: readonly R[]): R {
  return (rules.find(({ action }) => action === 'block') ?? rules[0]) as R;
}

/** What stands in place of a masked text, such as `[CREDIT_CARD]`. */
export function maskOf(kind: MatchKind): string {
  return `[${kind.toUpperCase()}]`;
}

/** A text in which something stands in the place of each match. */
export function replaceMatches(
  { text, matches }: ScannedText,
  replace: (found: string, match: TextMatch) => string,
): string {
  let replaced = '';
  let at = 0;
  for (const match of matches) {
    replaced += text.slice(at, match.start) + replace(text.slice(match.start, match.end), match);
    at = match.end;
  }
  return replaced + text.slice(at);
}
