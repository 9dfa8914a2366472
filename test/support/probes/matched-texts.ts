import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import type { MatchRule, TextMatch } from '../../../src/sanitizer/matching/match.types.js';

/** A rule of each builtin kind, with phones of the United States and of Germany. */
export const ALL_KINDS: readonly MatchRule[] = [
  { kind: 'email' },
  { kind: 'phone', region: 'US' },
  { kind: 'phone', region: 'DE' },
  { kind: 'credit_card' },
  { kind: 'iban' },
  { kind: 'ip' },
  { kind: 'person_id' },
];

/** Answers what a matcher finds in a text that comes in these pieces, with places in the whole text. */
export function scanPieces(matcher: TextMatcher, pieces: readonly string[]): { text: string; matches: TextMatch[] } {
  const scan = matcher.scan();
  let text = '';
  const matches: TextMatch[] = [];
  for (const piece of [...pieces, null]) {
    const scanned = piece === null ? scan.end() : scan.write(piece);
    for (const { start, end, rules } of scanned.matches) {
      matches.push({ start: start + text.length, end: end + text.length, rules });
    }
    text += scanned.text;
  }
  return { text, matches };
}

/** Answers the parts of a text that rules match. */
export function findMatched(rules: readonly MatchRule[], text: string): string[] {
  const { matches } = scanPieces(new TextMatcher(rules), [text]);
  return matches.map(({ start, end }) => text.slice(start, end));
}
