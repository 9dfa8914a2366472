import { describe, expect, it } from '@jest/globals';
import { PseudonymRestorer } from '../../../src/sanitizer/calls/pseudonym-restorer.js';

const ORIGINALS = new Map([
  ['EMAIL_1', 'ada@example.com'],
  ['EMAIL_12', 'bob@example.com'],
  ['CREDIT_CARD_1', '4111 1111 1111 1111'],
  ['REGEX_1', 'a "quoted" <b> & \\ %'],
]);

describe('pseudonyms in a text that a model writes', () => {
  it.each([
    ['<EMAIL_1>', 'ada@example.com'],
    ['<email_1>', 'ada@example.com'],
    ['<Email_12>', 'bob@example.com'],
    ['< EMAIL_1 >', 'ada@example.com'],
    ['\\<EMAIL\\_1\\>', 'ada@example.com'],
    ['<CREDIT\\_CARD\\_1>', '4111 1111 1111 1111'],
    ['**<EMAIL_1>**', '**ada@example.com**'],
    ['<**EMAIL_1**>', 'ada@example.com'],
    ['`<EMAIL_1>`', '`ada@example.com`'],
    ['&lt;EMAIL_1&gt;', 'ada@example.com'],
    ['&#60;EMAIL_1&#62;', 'ada@example.com'],
    ['mailto:%3CEMAIL_1%3E', 'mailto:ada%40example.com'],
    ['＜EMAIL_1＞', 'ada@example.com'],
    ['<<EMAIL_1>>', '<ada@example.com>'],
    ['<EMAIL_1><EMAIL_12>', 'ada@example.combob@example.com'],
    ['<EMAIL_<EMAIL_1>', '<EMAIL_ada@example.com'],
    ['{"to":"\\u003cEMAIL_1\\u003e"}', '{"to":"ada@example.com"}'],
    ['"\\u003cREGEX_1\\u003e"', '"a \\"quoted\\" <b> & \\\\ %"'],
    ['&lt;REGEX_1&gt;', 'a "quoted" &lt;b&gt; &amp; \\ %'],
  ])('become the originals: %s', (written, expected) => {
    const text = `Write to ${written} today.`;

    const restored = cuts(text).map((pieces) => restore(pieces));

    expect([...new Set(restored)]).toEqual([`Write to ${expected} today.`]);
  });

  it.each([
    '<EMAIL_2>',
    '<EMAIL_01>',
    '<EMAIL_>',
    '<EMAIL_123>',
    'EMAIL_1',
    '<EMAIL_1',
    '<EMAIL_1 or',
    '<EMAILS_1>',
    '<PHONE_1>',
    '<div class="a">',
    'a < b && c > d',
    '\\u003',
    '100 % &',
    '＜',
  ])('stay as they are where they were never given: %s', (written) => {
    const restored = cuts(written).map((pieces) => restore(pieces));

    expect([...new Set(restored)]).toEqual([written]);
  });

  it('are escaped in JSON, however they are written there', () => {
    const text = '{"a":"<REGEX_1>","b":"\\u003cREGEX_1\\u003e","c":"\\\\<REGEX_1\\\\>"}';

    const restored = cuts(text).map((pieces) => restore(pieces, 'json'));

    expect(new Set(restored).size).toBe(1);
    const original = ORIGINALS.get('REGEX_1');
    expect(JSON.parse(restored[0] ?? '')).toEqual({ a: original, b: original, c: original });
  });

  it('hold back no more than what could become one', () => {
    const restorer = new PseudonymRestorer(ORIGINALS, 'text');

    const sent = ['if (a <', ' b', ') <EMA', 'IL', '_', '1', '1', '> &', 'amp; \\', 'n'].map((piece) =>
      restorer.write(piece),
    );

    expect(sent).toEqual(['if (a ', '< b', ') ', '', '', '', '', '<EMAIL_11> ', '&amp; ', '\\n']);
    expect(restorer.end()).toBe('');
  });

  it('hold back little of a text that goes on for ever', () => {
    const restorer = new PseudonymRestorer(ORIGINALS, 'text');
    const pieces = Array.from({ length: 10_000 }, (_, index) => (index === 0 ? '<' : ' '));

    const held = pieces.reduce((length, piece) => length + piece.length - restorer.write(piece).length, 0);

    expect(held).toBe(0);
  });

  it('are not gone through for each text: an answer may have many of both', () => {
    const originals = new Map(ORIGINALS);
    const unused = (): never => {
      throw new Error('All of them are gone through.');
    };
    for (const way of ['keys', 'values', 'entries', 'forEach'] as const) originals[way] = unused;

    const restorer = new PseudonymRestorer(originals, 'text');

    expect(restorer.write('To <EMAIL_1>')).toBe('To ada@example.com');
  });
});

/** A text in two pieces, cut at every place, and in pieces of one character. */
function cuts(text: string): string[][] {
  const pairs = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [...pairs, [...text], text.split('')];
}

function restore(pieces: readonly string[], format: 'text' | 'json' = 'text'): string {
  const restorer = new PseudonymRestorer(ORIGINALS, format);
  return pieces.map((piece) => restorer.write(piece)).join('') + restorer.end();
}
