import { abbreviationAtEnd } from './abbreviations.js';
import { toMonth } from '../months.js';
import type { TextSpan } from '../text-span.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** What begins an item of a list. A number with a full stop does so behind the end of a sentence or a colon only. */
const LIST_MARK = /(?:[-*\u2022\u2023\u25e6\u2043\u2013]|\d{1,3}\)|\(\p{L}\)|\p{L}\)|\(\d{1,3}\))\s/uy;
const NUMBER_MARK = /\d{1,3}\.\s/y;
const STOP = /[.!?:;]/;

/** Words that begin sentences and follow no abbreviation, title or ordinal that belongs to them. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  (
    'the a an it he she they we you i this that these those there in on at for if but and when however then its his her ' +
    'der die das ein eine er sie es wir dies diese dieser dieses im bei für wenn aber und danach dann außerdem ' +
    'le la les il elle ils elles ce cette un une des mais el los las una ella pero lo gli di se het de een'
  ).split(' '),
);
/** German nouns, and those of its neighbours, that ordinals stand before. */
const COUNTED: ReadonlySet<string> = new Set(
  (
    'jahrhundert jahrhunderts jahrtausend quartal quartals halbjahr kapitel kapitels abschnitt absatz auflage ausgabe ' +
    'stock etage platz tag tages woche monat lebensjahr geburtstag weltkrieg weltkriegs bundesliga klasse stufe teil ' +
    'århundrede århundre'
  ).split(' '),
);
const FIRST_WORD = /^[^\p{L}\p{N}]{0,4}(\p{L}{0,20})/u;
const STARTS_WITH_NUMBER = /^[^\p{L}\p{N}]{0,4}\p{N}/u;

/**
 * Finds the sentences of a text in order, as places without the white space around them. A single line break is white
 * space, as in the lines of a page; a blank line, or one before an item of a list, ends a sentence. Full stops of
 * abbreviations, initials and ordinals end none, unless a word follows that begins sentences. It is lazy, and takes time in
 * proportion to the text.
 */
export function* sentencesIn(text: string): Generator<TextSpan> {
  const lines = joinLines(text);
  let start = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(lines)) {
    if (index > start && !goesOn(lines, start, index, segment)) {
      yield* trimmed(text, start, end);
      start = index;
    }
    end = index + segment.length;
  }
  yield* trimmed(text, start, end);
}

function* trimmed(text: string, start: number, end: number): Generator<TextSpan> {
  const sentence = text.slice(start, end);
  const visible = sentence.trim();
  if (visible === '') return;
  const from = start + sentence.length - sentence.trimStart().length;
  yield { start: from, end: from + visible.length };
}

/** The text with spaces in place of the line breaks inside of sentences; its places are the same. */
function joinLines(text: string): string {
  if (!/[^\S ]/.test(text)) return text;
  return text.replaceAll(/\s+/g, (run, at: number) => {
    const breaks = run.match(LINE_BREAK)?.length ?? 0;
    const isInside = breaks === 0 || (breaks === 1 && !isListMark(text, at, at + run.length));
    return (isInside ? ' ' : '\n') + ' '.repeat(run.length - 1);
  });
}

function isListMark(text: string, lineEnd: number, lineStart: number): boolean {
  LIST_MARK.lastIndex = lineStart;
  if (LIST_MARK.test(text)) return true;
  NUMBER_MARK.lastIndex = lineStart;
  return NUMBER_MARK.test(text) && STOP.test(text.charAt(lineEnd - 1));
}

/** Whether what the segmenter takes for the beginning of a sentence belongs to the one before. */
function goesOn(text: string, start: number, at: number, segment: string): boolean {
  if (text.charAt(at - 1) === '\n') return false;
  const kind = abbreviationAtEnd(text.slice(Math.max(start, at - 64), at));
  if (kind === 'goesOn') return true;
  if (kind === 'beforeNumbers') return STARTS_WITH_NUMBER.test(segment);
  if (kind === undefined) return false;
  const word = (FIRST_WORD.exec(segment)?.[1] ?? '').toLowerCase();
  return kind === 'ordinal' ? toMonth(word) !== undefined || COUNTED.has(word) : !BEGINNINGS.has(word);
}
