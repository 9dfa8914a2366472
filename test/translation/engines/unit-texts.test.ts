import { expect, it } from '@jest/globals';
import type { TextTransform } from '../../../src/inference/domain.js';
import { UnitTexts } from '../../../src/translation/engines/unit-texts.js';
import type { InlineText } from '../../../src/translation/units/inline-text.js';

it('puts back what a unit or the glossary has, and reads each unit once, however large the glossary is', async () => {
  const read: string[] = [];
  const texts = new UnitTexts(hiding(read), new AbortController().signal);
  const targets = new Set(Array.from({ length: 1_000 }, (_, index) => `<T_${index}>`));

  const answers = [
    await texts.toAnswer(of('Das <A_1> von <T_7>'), of('The <A_1> of it'), targets),
    await texts.toAnswer(of('Das <A_1> und <A_2>'), of('The <A_2> here'), targets),
  ];

  expect(answers).toEqual([of('Das a_1 von t_7'), of('Das <A_1> und a_2')]);
  expect(read).toEqual(['The <A_1> of it', 'The <A_2> here']);
});

const of = (text: string): InlineText => [{ kind: 'text', text }];

function hiding(read: string[]): TextTransform {
  return {
    transformPrompt: (text) => text,
    beginAnswer: () => ({ write: (piece) => piece, end: () => '' }),
    placeholdersIn: (text) => {
      read.push(text);
      return text.match(/<\w+>/g) ?? [];
    },
    restore: (text, isGiven) =>
      text.replaceAll(/<(\w+)>/g, (written, name: string) => (isGiven(written) ? name.toLowerCase() : written)),
  };
}
