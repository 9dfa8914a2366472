import { sentencesIn } from '../../platform/text/sentences/sentences.js';

/**
 * Answers where the last whole sentences before a place begin that are not longer than so many UTF-16 units together; the
 * place itself where not even the last one is.
 * @param from where the paragraphs begin that they are looked for in
 */
export function overlapStartIn(text: string, from: number, at: number, units: number): number {
  // Twice as much, since the first sentence that is seen may be cut.
  const seen = Math.max(from, at - 2 * units);
  let previousEnd = seen === from ? from : -1;
  for (const { start, end } of sentencesIn(text.slice(seen, at))) {
    if (previousEnd >= 0 && at - seen - start <= units) return seen + start;
    previousEnd = end;
  }
  return at;
}
