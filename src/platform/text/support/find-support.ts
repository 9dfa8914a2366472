import { CooperativeYield } from '../../async/cooperative-yield.js';
import { detectLanguage } from '../language.js';
import { sentencesIn } from '../sentences/sentences.js';
import type { TextSpan } from '../text-span.js';
import { Agreement } from './agreement.js';
import type { Source } from './agreement.js';
import { loadLanguageWords } from './language-words.js';
import { readStatement } from './statement.js';

/** Longer ones are no sentences, in UTF-16 units. */
const LONGEST_SENTENCE = 2_000;
/** Neighbouring sentences that may support one sentence together. */
const MOST_SENTENCES = 3;
const BLANK_LINE = /\n[^\S\n]*\n|\r\r/;
/** Each is compared with each of a source: more has no sentence. */
const MOST_CLAUSES = 60;
/** Words and figures that a sentence must have to be looked for: `Yes.` stands everywhere. */
const LEAST_SAID = 2;

/**
 * Finds what in a passage supports a sentence that somebody, such as a model, has written: the fewest neighbouring
 * sentences, at most three, that have all its numbers and dates, all its names, most of its other words, and deny what it
 * denies. It compares words, not meaning: who swaps roles, or writes all for some, is not found out
 * (docs/decisions/0009-quotes-and-chunks.md has the rates). Takes time in proportion to the passage, with a turn for others
 * every few milliseconds.
 * @param language of the passage, as primary subtag of BCP 47; detected where it is not given
 * @param cooperation of whoever looks for several sentences, one after another; its signal ends a long search
 * @returns the best place, of equals the first; undefined where nothing supports the sentence, and for one that says too
 *   little to tell, or has more than 2,000 UTF-16 units or 60 clauses
 * @throws the reason of the signal
 */
export async function findSupport(
  passage: string,
  sentence: string,
  language?: string,
  cooperation = new CooperativeYield(),
): Promise<TextSpan | undefined> {
  if (sentence.length > LONGEST_SENTENCE) return undefined;
  const known = loadLanguageWords(language ?? (await detectLanguage(passage)));
  const claim = readStatement(sentence, known);
  if (claim.clauses.length > MOST_CLAUSES) return undefined;
  if (claim.stems.size + claim.figures.filter(({ isCertain }) => isCertain).length < LEAST_SAID) return undefined;
  const agreement = new Agreement(claim, known.isComposing);
  const parts: { readonly span: TextSpan; readonly source: Source }[] = [];
  let best: { span: TextSpan; count: number; score: number } | undefined;
  for (const span of piecesIn(passage)) {
    if (cooperation.isDue) await cooperation.yield();
    // What stands in two paragraphs is said of two things.
    const last = parts.at(-1);
    if (last && BLANK_LINE.test(passage.slice(last.span.end, span.start))) parts.length = 0;
    const statement = readStatement(passage.slice(span.start, span.end), known);
    parts.push({ span, source: agreement.toSource(statement) });
    if (parts.length > MOST_SENTENCES) parts.shift();
    for (let count = 1; count <= Math.min(parts.length, best?.count ?? MOST_SENTENCES); count += 1) {
      const window = parts.slice(-count);
      const score = agreement.measure(window.map(({ source }) => source));
      if (score === undefined || (best?.count === count && best.score >= score)) continue;
      best = { span: { start: window[0]?.span.start ?? 0, end: span.end }, count, score };
    }
  }
  return best?.span;
}

/** The sentences of a passage; what is longer than a sentence comes in pieces of whole words. */
function* piecesIn(passage: string): Generator<TextSpan> {
  for (const { start, end } of sentencesIn(passage)) {
    let at = start;
    while (end - at > LONGEST_SENTENCE) {
      const next = wordEnd(passage, at + LONGEST_SENTENCE / 2, at + LONGEST_SENTENCE);
      yield { start: at, end: next };
      at = next;
    }
    yield { start: at, end };
  }
}

/** Where the last white space before a place is; the place itself where there is none, but not inside of a character. */
function wordEnd(text: string, least: number, most: number): number {
  for (let at = most; at > least; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most;
}
