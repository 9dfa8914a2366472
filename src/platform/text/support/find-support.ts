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
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;
const BLANK_LINE = /\n[^\S\n]*\n|\r\r/;
/** Each is compared with each of a source: more has no sentence. */
const MOST_CLAUSES = 60;
/** Words and figures that a sentence must have to be looked for: `Yes.` stands everywhere. */
const LEAST_SAID = 2;

/**
 * Finds what in a passage supports a sentence that somebody, such as a model, has written: the fewest neighbouring
 * sentences, at most three, that have all its numbers and dates, all its names, most of its other words, and deny what it
 * denies; or the row of a table that does so together with the names of its columns. It compares words, not meaning: who swaps roles, or writes all for some, is not found out
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
  const toSource = (text: string) => agreement.toSource(readStatement(text, known));
  const search = { agreement, toSource, cooperation };
  const sentences = await findIn(passage, piecesIn(passage), { ...search, most: MOST_SENTENCES });
  // Rows together would be as the whole table, where any value may be of any row.
  return sentences ?? findIn(passage, rowsIn(passage), { ...search, most: 1 });
}

/** A part of a passage, and what it says. */
interface Piece extends TextSpan {
  readonly text: string;
}

interface Search {
  /** Pieces that may support the claim together. */
  readonly most: number;
  readonly agreement: Agreement;
  readonly toSource: (text: string) => Source;
  readonly cooperation: CooperativeYield;
}

/** The fewest neighbouring pieces that support the claim. */
async function findIn(
  passage: string,
  pieces: Iterable<Piece>,
  { most, agreement, toSource, cooperation }: Search,
): Promise<TextSpan | undefined> {
  const parts: { readonly span: TextSpan; readonly source: Source }[] = [];
  let best: { span: TextSpan; count: number; score: number } | undefined;
  for (const { text, ...span } of pieces) {
    if (cooperation.isDue) await cooperation.yield();
    // What stands in two paragraphs is said of two things.
    const last = parts.at(-1);
    if (last && BLANK_LINE.test(passage.slice(last.span.end, span.start))) parts.length = 0;
    parts.push({ span, source: toSource(text) });
    if (parts.length > most) parts.shift();
    for (let count = 1; count <= Math.min(parts.length, best?.count ?? most); count += 1) {
      const window = parts.slice(-count);
      const score = agreement.measure(window.map(({ source }) => source));
      if (score === undefined || (best?.count === count && best.score >= score)) continue;
      best = { span: { start: window[0]?.span.start ?? 0, end: span.end }, count, score };
    }
  }
  return best?.span;
}

/** The rows of the tables of a passage, each saying what the names of its columns say, too. */
function* rowsIn(passage: string): Generator<Piece> {
  let header: string | undefined;
  let start = 0;
  for (const line of passage.split('\n')) {
    // What Markdown writes below the names of columns.
    const isRule = header !== undefined && TABLE_RULE.test(line);
    const isRow = line.includes(' | ') && !isRule;
    if (isRow && header !== undefined && line.length + header.length <= LONGEST_SENTENCE) {
      yield { start, end: start + line.trimEnd().length, text: `${header}\n${line}` };
    }
    header = isRow || isRule ? (header ?? line) : undefined;
    start += line.length + 1;
  }
}

/** The sentences of a passage; what is longer than a sentence comes in pieces of whole words. */
function* piecesIn(passage: string): Generator<Piece> {
  const piece = (start: number, end: number) => ({ start, end, text: passage.slice(start, end) });
  for (const { start, end } of sentencesIn(passage)) {
    let at = start;
    while (end - at > LONGEST_SENTENCE) {
      const next = wordEnd(passage, at + LONGEST_SENTENCE / 2, at + LONGEST_SENTENCE);
      yield piece(at, next);
      at = next;
    }
    yield piece(at, end);
  }
}

/** Where the last white space before a place is; the place itself where there is none, but not inside of a character. */
function wordEnd(text: string, least: number, most: number): number {
  for (let at = most; at > least; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most;
}
