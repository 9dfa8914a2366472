import { describe, expect, it } from '@jest/globals';
import { ReplacedText } from '../../../src/sanitizer/calls/replaced-text.js';

describe('a text in which matches are replaced', () => {
  it.each([
    ['{"card": 4111}', '{"card": "[CARD]"}'],
    ['{"card":-4111,"b":1}', '{"card":"-[CARD]","b":1}'],
    ['[4111.50, 1, 24111e3]', '["[CARD].50", 1, "2[CARD]e3"]'],
    ['{"4111": "no. 4111", "a": "\\"4111"}', '{"[CARD]": "no. [CARD]", "a": "\\"[CARD]"}'],
    ['{"a": "\\\\", "b": 4111, "c": true}', '{"a": "\\\\", "b": "[CARD]", "c": true}'],
    ['4111', '"[CARD]"'],
    ['[-1, 2.5e+3, null, false]', '[-1, 2.5e+3, null, false]'],
  ])('stays JSON, however it is cut: %s', (text, expected) => {
    const changed = [replaceIn([text]), replaceIn(text.split(/(?<=\D)|(?=4111)/)), replaceIn(text.split(/(4111)/))];

    expect(new Set(changed)).toEqual(new Set([expected]));
    expect(() => JSON.parse(expected)).not.toThrow();
  });

  it('has no quotes more where it is prose', () => {
    expect(replaceIn(['My card: 4111.'], 'text')).toBe('My card: [CARD].');
  });

  it('stays as it is where the match stays', () => {
    const text = new ReplacedText('json', (found) => found);

    const written = text.write(scanned('{"card": 4111}')) + text.end();

    expect(written).toBe('{"card": 4111}');
  });

  it('holds nothing back but a number', () => {
    const text = new ReplacedText('json', () => '[CARD]');

    const steps = ['{"a":tru', 'e,"b":1', '2', ',"c":4111'].map((piece) => [text.write(scanned(piece)), text.held]);

    expect(steps).toEqual([
      ['{"a":tru', ''],
      ['e,"b":', '1'],
      ['', '12'],
      ['12,"c":', undefined],
    ]);
  });
});

function replaceIn(pieces: readonly string[], format: 'text' | 'json' = 'json'): string {
  const text = new ReplacedText(format, () => '[CARD]');
  return pieces.map((piece) => text.write(scanned(piece))).join('') + text.end();
}

function scanned(text: string) {
  const matches = [...text.matchAll(/4111/g)].map(({ index }) => ({ start: index, end: index + 4, rules: [0] }));
  return { text, matches };
}
