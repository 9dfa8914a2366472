import { toPlainCharacter } from '../../../platform/text/normalization/character-map.js';
import type { MarkedToken, MarkerNotation } from '../marker-notation.js';

/** As models write the brackets back: other white ones, two square ones, those of Chinese and Japanese, of full width. */
const OPEN = String.raw`(?:⟦|〚|【|〖|［{1,2}|\[\[)`;
const CLOSE = String.raw`(?:⟧|〛|】|〗|］{1,2}|\]\])`;
const MARKER = new RegExp(String.raw`${OPEN}\s{0,3}([/／\\]?)\s{0,3}(\p{Nd}{1,7})\s{0,3}([/／]?)\s{0,3}${CLOSE}`, 'gu');

const ASCII_DIGITS = /^[0-9]+$/;

/** The notation for chat models: `⟦1⟧` is a marker, and a pair ends with `⟦/1⟧`. Text is as it is. */
export const bracketNotation: MarkerNotation = {
  instruction:
    'Markers such as ⟦1⟧ stand for what must stay. Keep every marker exactly once, unchanged, where it belongs in the ' +
    'translation. What stands between ⟦2⟧ and ⟦/2⟧ is formatted: put the pair around its translation.',
  write: (kind, number) => (kind === 'close' ? `⟦/${number}⟧` : `⟦${number}⟧`),
  escape: (text) => text,
  read: (answer) => readTokens(answer),
  lookalikes: MARKER,
};

function readTokens(answer: string): MarkedToken[] {
  const tokens: MarkedToken[] = [];
  let end = 0;
  for (const found of answer.matchAll(MARKER)) {
    if (found.index > end) tokens.push({ kind: 'text', text: answer.slice(end, found.index) });
    const [whole, slash = '', digits = ''] = found;
    tokens.push({ kind: slash === '' ? 'single' : 'close', number: toNumber(digits) });
    end = found.index + whole.length;
  }
  if (end < answer.length) tokens.push({ kind: 'text', text: answer.slice(end) });
  return tokens;
}

function toNumber(digits: string): number {
  if (ASCII_DIGITS.test(digits)) return Number(digits);
  return Number(Array.from(digits, (digit) => toPlainCharacter(digit.codePointAt(0) ?? 0) ?? digit).join(''));
}
