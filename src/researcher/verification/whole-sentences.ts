import { findQuote } from '../../platform/text/quotes/find-quote.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';

/** The numbers of footnotes behind a sentence say nothing. */
const NOTHING_SAID = /^(?:[^\p{L}\p{N}[]|\[\d{1,3}\]|\[)*$/u;
/** What a sentence in a list may begin with. */
const LIST_MARK = /^\s*(?:\d{1,3}[.)]|\(?\p{L}{1,2}\)|\(\d{1,3}\))?[^\p{L}\p{N}]*$/u;
const QUESTION = /[?？]/u;

/**
 * Says whether a text is one or several whole sentences of a quote, word for word; a part of a sentence is none, since
 * the rest may deny it, and a question without its mark is none either.
 */
export function areWholeSentences(text: string, quote: string): boolean {
  const found = findQuote(quote, text);
  if (!found) return false;
  const spans = [...sentencesIn(quote)];
  const begins = spans.some(({ start }) => start <= found.start && LIST_MARK.test(quote.slice(start, found.start)));
  return begins && spans.some(({ end }) => end >= found.end && isRest(quote.slice(found.end, end)));
}

function isRest(rest: string): boolean {
  return NOTHING_SAID.test(rest) && !QUESTION.test(rest);
}
