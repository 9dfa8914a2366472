/** Characters of ranges, or as many as take the library as long, that one pattern may have: a few milliseconds. */
const MOST_CLASS_CHARACTERS = 65_536;
/** How many characters of a range take as long as one class of Unicode, such as `\pL`. */
const UNICODE_CLASS_CHARACTERS = 4_096;

const UNICODE_CLASS = /\\p/gi;
const RANGE = /(?<=(\\x\{[\da-f]+\}|[^]))-(?=(\\x\{[\da-f]+\}|[^]))/giu;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;

/**
 * Refuses a pattern of which the library would take long to read the classes: it looks for other cases of each
 * character of a range, and makes a table of each class of Unicode, as often as they are written.
 * @throws RangeError where there are more than 16 classes of Unicode, or as much
 */
export function checkClasses(pattern: string): void {
  let characters = (pattern.match(UNICODE_CLASS)?.length ?? 0) * UNICODE_CLASS_CHARACTERS;
  if (IGNORES_CASE.test(pattern)) {
    for (const [, first = '', last = ''] of pattern.matchAll(RANGE)) {
      characters += Math.max(0, toCodePoint(last) - toCodePoint(first));
    }
  }
  if (characters > MOST_CLASS_CHARACTERS) throw new RangeError('The pattern has too many large classes.');
}

function toCodePoint(written: string): number {
  return written.length > 2 ? parseInt(written.slice(3), 16) : (written.codePointAt(0) ?? 0);
}
