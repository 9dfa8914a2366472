import { QuotedPassage } from '../../platform/text/quotes/find-quote.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/** The numbers of footnotes behind a sentence say nothing. */
const NOTHING_SAID = /^(?:[^\p{L}\p{N}[]|\[\d{1,3}\]|\[)*$/u;
/** What an item of a list, or a heading of Markdown, begins with. A dash before a digit is a sign of the number, as `<` and `$` are. */
const LIST_MARK =
  /^\s*(?:#{1,6}\s+|[-*+\u2013\u2022\u2023\u25e6\u2043]\s+(?!\p{N})|(?:\d{1,3}[.)]|\(?\p{L}{1,2}\)|\(\d{1,3}\))\s*)?/u;
const FOOTNOTES_AT_END = /(?:\s?\[(?:\d{1,3}\])?)*$/u;
const SIGNS_ALONE = /^[^\p{L}\p{N}]*$/u;
const QUESTION = /[?？؟⁇⁈⁉‽﹖❓]/u;

/**
 * Finds where a text stands in a quote as one or several whole sentences, word for word; a part of a sentence is none, since
 * the rest may deny it, and a question without its mark is none either.
 * @param passage of the quote, where it is known
 * @returns the sentences from their beginning, with the signs before a number but without the mark of a list, up to the end
 * of the last; undefined where there are none
 */
export function findWholeSentences(
  text: string,
  quote: string,
  passage = new QuotedPassage(quote),
): TextSpan | undefined {
  const found = passage.find(text);
  if (!found) return undefined;
  let first: number | undefined;
  for (const { start, end } of sentencesIn(quote)) {
    if (start > found.start && first === undefined) return undefined;
    if (end > found.start) first ??= beginning(quote, start, found.start);
    if (first !== undefined && end >= found.end) {
      const rest = quote.slice(found.end, end);
      return isRest(rest) ? { start: first, end: found.end + rest.replace(FOOTNOTES_AT_END, '').length } : undefined;
    }
  }
  return undefined;
}

/** Where a sentence begins behind the mark of a list; undefined where more is left out than signs. */
function beginning(quote: string, start: number, found: number): number | undefined {
  const from = start + (LIST_MARK.exec(quote.slice(start, found + 1))?.[0].length ?? 0);
  return from >= found || SIGNS_ALONE.test(quote.slice(from, found)) ? Math.min(from, found) : undefined;
}

function isRest(rest: string): boolean {
  return NOTHING_SAID.test(rest) && !QUESTION.test(rest);
}
