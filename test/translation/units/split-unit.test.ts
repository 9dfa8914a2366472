import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { superblankNotation } from '../../../src/translation/protection/notations/superblank-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { restore } from '../../../src/translation/protection/restore.js';
import { joinInlineTexts } from '../../../src/translation/units/join-inline-texts.js';
import { splitAtBarriers, splitAtMarkers, splitUnit } from '../../../src/translation/units/split-unit.js';
import { textOf } from '../fixtures/segments.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

const protectText = (text: string, notation = bracketNotation) => protect([{ kind: 'text', text }], { notation });

function split(text: string, maxCharacters: number): string[] {
  const unit = protectText(text);
  const pieces = splitUnit(unit, maxCharacters);
  expect(textOf(joinInlineTexts(pieces.map((piece) => restore(piece, piece.text))))).toBe(text);
  return pieces.map((piece) => piece.text);
}

it('leaves a unit whole that is short enough', () => {
  const unit = protectText('One sentence. Another one.');

  expect(splitUnit(unit, 26)).toEqual([unit]);
});

it('cuts at barriers, but not within a pair, and keeps all in its order', () => {
  const barrier = (mark: number) => ({ kind: 'single', mark, isBarrier: true }) as const;
  const text = (characters: string) => ({ kind: 'text', text: characters }) as const;
  const whole = [text('One '), barrier(1), text('two <b>three '), barrier(2), text('four</b>'), barrier(3), text(' 5')];

  const pieces = splitAtBarriers(protect(whole, { notation: bracketNotation }));

  expect(pieces.map((piece) => piece.text)).toEqual(['One', 'two ⟦2⟧three ⟦3⟧four⟦/2⟧']);
  expect(joinInlineTexts(pieces.map((piece) => restore(piece, piece.text)))).toEqual(whole);
});

it.each<[string, number, string[]]>([
  ['First one here. Second one. Third.', 28, ['First one here. Second one.', 'Third.']],
  ['Wir kommen am 3. Mai zu Dr. Braun. Z. B. am Abend.', 40, ['Wir kommen am 3. Mai zu Dr. Braun.', 'Z. B. am Abend.']],
  ['One {a} two. Three <b>four. Five</b> six. Seven.', 34, ['One ⟦1⟧ two.', 'Three ⟦2⟧four. Five⟦/2⟧ six.', 'Seven.']],
  ['これは文です。これも文です。', 8, ['これは文です。', 'これも文です。']],
  ['One two three four five six', 12, ['One two', 'three four', 'five six']],
  [
    'A very long <b>pair with many words. And more</b> end',
    20,
    ['A very long', 'pair with many', 'words. And more', 'end'],
  ],
  ['𝒜𝒜𝒜𝒜x', 5, ['𝒜𝒜', '𝒜𝒜x']],
])('cuts %j beyond %d characters at ends of sentences, then at spaces', (text, maxCharacters, pieces) => {
  expect(split(text, maxCharacters)).toEqual(pieces);
});

it('counts what the notation adds', () => {
  const pieces = splitUnit(protectText('a/b [c] a/b [c]. d e f.', superblankNotation), 14);

  for (const { text } of pieces) expect(text.length).toBeLessThanOrEqual(14);
});

it('cuts a unit at its markers, so that an engine sees none', () => {
  const unit = protectText('Hello {name}, <b>bold {x} word</b> 5 kg. {n, plural, other {many}}');

  const pieces = splitAtMarkers(unit);

  expect(pieces.map(({ text }) => text)).toEqual(['Hello', 'bold', 'word']);
  const answers: Record<string, string> = { Hello: 'Hallo', bold: 'fettes', word: 'Wort', many: 'viele' };
  const restored = joinInlineTexts(pieces.map((piece) => restore(piece, ({ text }) => answers[text] ?? text)));
  expect(textOf(restored)).toBe('Hallo {name}, <b>fettes {x} Wort</b> 5 kg. {n, plural, other {viele}}');
});

it.each([
  ['one word', 1 << 20, (count: number) => 'a'.repeat(count)],
  ['words', 1 << 19, (count: number) => 'a '.repeat(count)],
  ['sentences', 200_000, (count: number) => 'A b. '.repeat(count)],
  ['placeholders', 50_000, (count: number) => '{x} '.repeat(count)],
  ['nested tags', 20_000, (count: number) => '<b>a '.repeat(count) + '</b>'.repeat(count)],
])(
  'cuts what is long, deep or without spaces in time in proportion to it: %s',
  async (_what, count, textOf) => {
    const growth = await cpuGrowth(count, textOf, (text) => {
      const pieces = splitUnit(protectText(text), 100);
      expect(pieces.every((piece) => piece.text.length <= 100)).toBe(true);
    });

    expect(growth).toBeLessThan(IN_PROPORTION);
  },
  60_000,
);
