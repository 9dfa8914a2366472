import type { CooperativeYield } from '../../async/cooperative-yield.js';
import { foldInSteps, foldText } from '../normalization/fold-text.js';
import type { NormalizedText } from '../normalization/normalized-text.js';
import { isBoundary } from './quote-boundary.js';
import type { TextSpan } from '../text-span.js';

/** UTF-16 units that are searched in one step. */
const STEP = 65_536;

/** A passage in which several quotes are looked for: what is done with it alone is done once. */
export class QuotedPassage {
  constructor(
    private readonly passage: string,
    private readonly folded: NormalizedText = foldText(passage),
  ) {}

  /** The same for a long passage; others have their turn. @throws the reason of the signal of the cooperation */
  static async of(passage: string, cooperation: CooperativeYield): Promise<QuotedPassage> {
    return new QuotedPassage(passage, await cooperation.finish(foldInSteps(passage)));
  }

  /** As `findQuote` does. */
  find(quote: string, minCharacters = 1): TextSpan | undefined {
    const steps = this.findInSteps(quote, minCharacters);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  }

  /** The same in steps of some ten thousand units. */
  *findInSteps(quote: string, minCharacters = 1): Generator<void, TextSpan | undefined> {
    const { passage, folded } = this;
    const wanted = withoutQuoteMarks(foldText(quote).text);
    if (wanted.length < Math.max(minCharacters, 1)) return undefined;
    for (const index of indexesOf(folded.text, wanted)) {
      yield;
      if (index === undefined) continue;
      const end = index + wanted.length;
      if (isBoundary(passage, folded, index) && isBoundary(passage, folded, end)) {
        return { start: folded.toOriginalStart(index), end: folded.toOriginalEnd(end) };
      }
    }
    return undefined;
  }
}

/**
 * Finds where a quote stands in a passage word for word: the first place, whole words and whole numbers only, so that
 * neither `legal` is found in `illegal` nor `costs 100` in `costs 1000`. Compared are the forms of `foldText`: differences
 * of compatible characters, case, white space, dashes, quote marks, invisible characters and hyphens at the ends of lines
 * count for nothing; quote marks around the quote are not looked for. Takes time in proportion to both texts, whatever
 * they are.
 * @param minCharacters a quote that has fewer characters in that form is not found, since it would stand everywhere
 * @returns its place in the passage as it was given, or undefined where it does not stand
 */
export function findQuote(passage: string, quote: string, minCharacters = 1): TextSpan | undefined {
  return new QuotedPassage(passage).find(quote, minCharacters);
}

function withoutQuoteMarks(folded: string): string {
  // Several in a row are one already.
  return folded.slice(folded.startsWith('"') ? 1 : 0, folded.length > 1 && folded.endsWith('"') ? -1 : undefined);
}

/**
 * Where a text stands in another, by Knuth, Morris and Pratt: `indexOf` takes quadratic time where texts repeat. Undefined
 * where a step is over.
 */
function* indexesOf(text: string, wanted: string): Generator<number | undefined> {
  if (wanted.length > text.length) return;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (at % STEP === STEP - 1) yield undefined;
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each beginning of a text, how long the longest shorter beginning is that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
