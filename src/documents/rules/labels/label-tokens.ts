import { plainLetters } from '../parsers/plain-letters.js';

/** A word of a label in the form in which labels are compared. */
export interface LabelToken {
  readonly key: string;
  /** Its place in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const TOKEN = /n\.? ?[o°](?![\p{L}\p{N}.])|#|%|[\p{L}\p{N}]+/gu;

/** All ways to write that a number follows are one. */
const NUMBER_WORDS = new Set([
  '#',
  'no',
  'nr',
  'n°',
  'n.o',
  'n.°',
  'n o',
  'n °',
  'num',
  'number',
  'nummer',
  'numero',
  'nro',
]);

/** What the last part of a German compound may be: `Rechnungsdatum` is compared as `Rechnung` and `Datum`. */
const COMPOUND = /^(\p{L}{3,30}?)(nummer|datum|betrag|preis|nr|satz|frist|beginn|ende|adresse|kosten|name)$/u;

/** A longer word is no word of a label. */
const LONGEST = 40;

/** The words of a text as labels are compared: without case, accents and signs, in one spelling of `number`. */
export function toLabelTokens(text: string, offset = 0): LabelToken[] {
  const tokens: LabelToken[] = [];
  for (const { 0: word, index } of plainLetters(text).matchAll(TOKEN)) {
    const [start, end] = [offset + index, offset + index + word.length];
    for (const key of word.length > LONGEST ? [word.slice(0, LONGEST)] : keysOf(word)) tokens.push({ key, start, end });
  }
  return tokens;
}

function keysOf(word: string): string[] {
  if (NUMBER_WORDS.has(word)) return ['#'];
  const [, first, second] = COMPOUND.exec(word) ?? [];
  if (first !== undefined && second !== undefined) return [singular(first), ...keysOf(second)];
  return [singular(word)];
}

/** Joints of compounds and plurals end alike. */
function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
