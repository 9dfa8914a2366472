import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeText } from '../../../../src/sanitizer/matching/normalization/normalize-text.js';

it.each([
  ['full-width letters, digits and signs', 'Ａｂ１２＠．：', 'Ab12@.:'],
  ['digits of other scripts', '٣४৫𝟗', '3459'],
  ['ligatures', 'ﬁle', 'file'],
  ['dashes', '‐‑‒–—―−－', '--------'],
  ['spaces', 'a\u00a0b\u2003c\u3000d', 'a b c d'],
  ['dots', 'a․b。c．d·e｡f', 'a.b.c.d.e.f'],
  ['invisible characters', 'a\u00ad\u200b\u200d\u2060\ufeff\u202eb', 'ab'],
  ['characters without their keycaps', '4\ufe0f\u20e31\u20e3', '41'],
  ['NUL as nothing', '4\u00001\\u00001', '411'],
  ['entities', 'a&#64;b&#x2E;c&commat;d&period;e&nbsp;f&#64g&amp;', 'a@b.c@d.e f@g&'],
  ['escapes of JSON', String.raw`a\u0040b\/c\n\"\\ \ud835\udfd7`, 'a@b/c\n"\\ 9'],
  ['percent-encoding of what is in addresses', 'a%40b%2ec%20', 'a@b.c%20'],
  ['full-width signs as entities', '&#xFF20;', '@'],
])('reads %s', (_what, written, read) => {
  const { normalized } = normalizeText(written, true);

  expect(normalized.text).toBe(read);
});

it.each(['plain text', 'é 中 ½ x² ´', '&nosuch; && &#; %4 %zz \\x \\u12', 'a\ud83d'])('leaves %s as it is', (text) => {
  const { normalized } = normalizeText(text, true);

  expect(normalized.text).toBe(text);
});

it.each(['&', '&comma', '&#x4', '\\', '\\u00', '\\ud835', '\\ud835\\udf', '%', '%4', '\ud83d'])(
  'leaves %j undecided at the end of a piece',
  (end) => {
    const { normalized, decidedEnd } = normalizeText(`ab${end}`, false);

    expect({ text: normalized.text, decidedEnd }).toEqual({ text: 'ab', decidedEnd: 2 });
  },
);

it('knows where each character comes from', () => {
  const { normalized } = normalizeText('a\u200bb&commat;ﬁ𝟗c', true);

  const places = [...normalized.text].map((_, index) => [
    normalized.toOriginalStart(index),
    normalized.toOriginalEnd(index + 1),
  ]);

  expect(normalized.text).toBe('ab@fi9c');
  expect(places).toEqual([
    [0, 1],
    [2, 3],
    [3, 11],
    [11, 12],
    [11, 12],
    [12, 14],
    [14, 15],
  ]);
});

it('reads the parts of a text as it reads the whole, if it is cut where all is decided', () => {
  const parts = fc.array(
    fc.constantFrom('a', '&', '#64', ';', 'commat;', '\\', 'u0040', '%', '40', 'ﬁ', '𝟗', '\ud83d', '１'),
  );

  fc.assert(
    fc.property(parts, fc.nat(40), (pieces, cut) => {
      const text = pieces.join('');
      const { normalized: first, decidedEnd } = normalizeText(text.slice(0, cut), false);
      const { normalized: second } = normalizeText(text.slice(decidedEnd), true);
      const { normalized: whole } = normalizeText(text, true);

      expect(first.text + second.text).toBe(whole.text);
    }),
  );
});
