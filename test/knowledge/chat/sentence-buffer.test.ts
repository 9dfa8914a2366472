import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { SentenceBuffer } from '../../../src/knowledge/chat/sentence-buffer.js';

describe('the sentences of a text that is written piece by piece', () => {
  it.each([
    ['a mark before the full stop', 'It is noon [1]. It rains. ', ['It is noon [1]. ']],
    ['marks behind the full stop', 'It is noon. [1][2] It rains', ['It is noon. [1][2] ']],
    ['a mark at the full stop', 'It is noon.[1] It rains', ['It is noon.[1] ']],
    ['a mark behind a line', 'It is noon.\n[1] It rains', ['It is noon.\n[1] ']],
    ['items of a list', '- noon [1]\n- rain [2]\n', ['- noon [1]\n']],
    ['an abbreviation', 'It is e.g. noon. It rains', ['It is e.g. noon. ']],
    ['no spaces', '费用是100欧元。[1]租金', ['费用是100欧元。[1]']],
  ])('are whole when the next one has begun: %s', (_what, text, expected) => {
    expect(new SentenceBuffer().push(text)).toEqual(expected);
  });

  it.each(['It is noon. [', 'It is noon. [1', 'It is noon. [Passage 1', 'It is noon. ', 'It is noon. I', 'It is noon'])(
    'wait while what follows may belong to them: %s',
    (text) => {
      expect(new SentenceBuffer().push(text)).toEqual([]);
    },
  );

  it('are together the text, and the same wherever it is cut', () => {
    fc.assert(
      fc.property(texts(), (pieces) => {
        const buffer = new SentenceBuffer();

        const released = pieces.flatMap((piece) => buffer.push(piece));
        const rest = buffer.end();

        expect([...released, ...rest].join('')).toBe(pieces.join(''));
      }),
      { numRuns: 1_000 },
    );
  });

  it('go on in pieces where a text has none, and never inside of a mark', () => {
    const buffer = new SentenceBuffer();
    const text = `${'word '.repeat(900)}[12] ${'word '.repeat(900)}[3`;

    const pieces = [...text].flatMap((unit) => buffer.push(unit));

    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(4_400);
    expect([...pieces, ...buffer.end()].join('')).toBe(text);
    expect(pieces.join('|')).toContain('[12]');
  });

  it.each(['[99]', '[9, 99]', '[Passage 9]'])(
    'never end inside of a mark where there is no white space: %s',
    (mark) => {
      for (let length = 3_980; length < 4_020; length += 1) {
        const buffer = new SentenceBuffer();

        const pieces = [...`${'a'.repeat(length)}${mark}${'b'.repeat(4_100)}`].flatMap((unit) => buffer.push(unit));

        expect([...pieces, ...buffer.end()].filter((piece) => piece.includes(mark))).toHaveLength(1);
      }
    },
  );
});

const PARTS = [
  'The fee is 7.20 euros',
  '.',
  '. ',
  ' [1]',
  '[2, 3]',
  ' [',
  '1',
  ']',
  '\n',
  '\n\n- ',
  '费用是100欧元。',
  ' e.g. ',
  '```',
  'a',
  ' ',
];
function texts() {
  return fc.array(fc.constantFrom(...PARTS), { maxLength: 40 });
}
