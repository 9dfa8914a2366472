import { plainLetters } from './plain-letters.js';

const YES = new Set([
  'yes',
  'y',
  'true',
  'ja',
  'wahr',
  'oui',
  'vrai',
  'si',
  'verdadero',
  'x',
  '\u2611',
  '\u2612',
  '\u2713',
  '\u2714',
]);
const NO = new Set([
  'no',
  'n',
  'false',
  'nein',
  'falsch',
  'non',
  'faux',
  'falso',
  'none',
  'keine',
  'aucun',
  '\u2610',
  '\u2717',
  '\u2718',
]);

/** The first word of a text as yes or no; undefined where it is neither. */
export function readBoolean(text: string): { readonly value: boolean; readonly end: number } | undefined {
  const [, before = '', word = ''] = /^([\s:.[(]*)([\p{L}\u2610-\u2612\u2713-\u2718]+)/u.exec(text) ?? [];
  const plain = plainLetters(word);
  const value = YES.has(plain) ? true : NO.has(plain) ? false : undefined;
  return value === undefined ? undefined : { value, end: before.length + word.length };
}
