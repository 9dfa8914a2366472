import type { MarkedToken, MarkerNotation } from '../marker-notation.js';

const SPECIAL = /[\\[\]{}^$/@<>]/g;
/** A superblank, or an escaped character. */
const PIECE = /\\([^])|\[\s{0,3}(\/?)\s{0,3}(\d{1,7})\s{0,3}\]/g;

/**
 * The notation for apertium's own stream, without its deformatter: a marker is a superblank, `[1]` and `[/1]`, which its
 * programs carry along, and characters that mean something to them are escaped.
 */
export const superblankNotation: MarkerNotation = {
  write: (kind, number) => (kind === 'close' ? `[/${number}]` : `[${number}]`),
  escape: (text) => text.replaceAll(SPECIAL, String.raw`\$&`),
  read: (answer) => readStream(answer),
  // The programs use it to join words, and lose it however it is escaped.
  lookalikes: /~+/,
};

function readStream(answer: string): MarkedToken[] {
  const tokens: MarkedToken[] = [];
  let text = '';
  let end = 0;
  for (const found of answer.matchAll(PIECE)) {
    const [whole, escaped, slash, digits] = found;
    text += answer.slice(end, found.index) + (escaped ?? '');
    end = found.index + whole.length;
    if (digits === undefined) continue;
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
    tokens.push({ kind: slash === '' ? 'single' : 'close', number: Number(digits) });
  }
  text += answer.slice(end);
  if (text !== '') tokens.push({ kind: 'text', text });
  return tokens;
}
