import type { FoundMatch } from './match-collector.js';
import type { TextMatch } from './match.types.js';

/** Makes one match of those that overlap; those that only touch stay apart. */
export function mergeMatches(found: readonly FoundMatch[]): TextMatch[] {
  const merged: { start: number; end: number; rules: number[] }[] = [];
  for (const { start, end, rule } of found.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) {
      last.end = Math.max(last.end, end);
      last.rules.push(rule);
    } else {
      merged.push({ start, end, rules: [rule] });
    }
  }
  return merged.map(({ start, end, rules }) => ({
    start,
    end,
    rules: [...new Set(rules)].toSorted((one, other) => one - other),
  }));
}
