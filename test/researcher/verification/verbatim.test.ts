import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';

it.each([
  ['white space', 'The drug is nowhere approved for children.', 'The drug is now here approved for children.'],
  ['a dash', 'The chairman asked the team to re-sign today.', 'The chairman asked the team to resign today.'],
  ['case', 'The company was sold to the US government.', 'The company was sold to the us government.'],
  ['a sign', '<5 % of the patients had side effects.', '5 % of the patients had side effects.'],
  ['signs', '≥ $5 is the price of a gallon of fuel.', '5 is the price of a gallon of fuel.'],
  ['a minus', '− 40 °C was measured in that winter.', '40 °C was measured in that winter.'],
  ['a unit', 'The prices of the houses rose by 5 %', 'The prices of the houses rose by 5'],
])('what is verbatim has the characters of its source where %s differs', async (_what, text, claim) => {
  const { proven } = await verify(text, claim, text);

  expect(proven.map((sentence) => [sentence.support, sentence.text])).toEqual([['verbatim', text]]);
});

it.each([
  ['a dash', '- The tower is 96 metres high.'],
  ['a number', '2. The tower is 96 metres high.'],
  ['the number of a footnote', 'The tower is 96 metres high.[3]'],
  ['line breaks', 'The tower is\n 96 metres\thigh.'],
])('what is verbatim has no mark of a list or citation and no line breaks: %s', async (_what, text) => {
  const { proven } = await verify(text, 'The tower is 96 metres high.', text);

  expect(proven.map((sentence) => [sentence.support, sentence.text])).toEqual([
    ['verbatim', 'The tower is 96 metres high.'],
  ]);
});

function verify(text: string, claim: string, quote: string) {
  const source = { id: 'src_1', url: 'https://example.com/', title: null, text, language: 'en' };
  const verifier = new ClaimVerifier([source], false, new CooperativeYield());
  return verifier.verify([{ text: claim, quotes: [{ source: 'src_1', quote }] }]);
}
