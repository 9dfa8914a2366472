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
  ['the mark of a heading', '## The tower is 96 metres high.'],
  ['the number of a footnote', 'The tower is 96 metres high.[3]'],
  ['line breaks', 'The tower is\n 96 metres\thigh.'],
])('what is verbatim has no mark of a list or citation and no line breaks: %s', async (_what, text) => {
  const { proven } = await verify(text, 'The tower is 96 metres high.', text);

  expect(proven.map((sentence) => [sentence.support, sentence.text])).toEqual([
    ['verbatim', 'The tower is 96 metres high.'],
  ]);
});

it.each([
  ['“Vaccines cause autism.” This is what the doctor falsely claimed.', 'Vaccines cause autism.'],
  ['"Doctors know it. Vaccines cause autism. It is so," he falsely claimed.', 'Vaccines cause autism.'],
  ['He lied: ‘Doctors know it. Vaccines cause autism.’ Nobody believed him.', 'Vaccines cause autism.'],
  ['„Impfungen machen krank. Impfungen lösen Autismus aus.“ Das ist falsch.', 'Impfungen lösen Autismus aus.'],
  ['« Les vaccins rendent malade. Les vaccins sont mortels. » C’est faux.', 'Les vaccins sont mortels.'],
])('what lies within a quotation is not said by its source: %s', async (text, claim) => {
  const { proven, refused } = await verify(text, claim, claim);

  expect({ proven, reasons: refused.map(({ reason }) => reason) }).toEqual({ proven: [], reasons: ['context'] });
});

it.each([
  ['with its marks', '“Vaccines cause autism.” He falsely claimed so.', '“Vaccines cause autism.”'],
  [
    'behind a quotation',
    'They call it “the Old Lady” there. The tower is 96 metres high.',
    'The tower is 96 metres high.',
  ],
  ['behind inches', 'The 5" pipe is from 1980. The tower is 96 metres high.', 'The tower is 96 metres high.'],
  ['behind apostrophes', 'The dogs’ owners don’t care. The tower is 96 metres high.', 'The tower is 96 metres high.'],
  ['in another paragraph', '“Nobody knows it.\n\nThe tower is 96 metres high.', 'The tower is 96 metres high.'],
])('what stands %s is verbatim', async (_what, text, claim) => {
  const { proven } = await verify(text, claim, claim);

  expect(proven).toMatchObject([{ text: claim, support: 'verbatim' }]);
});

function verify(text: string, claim: string, quote: string) {
  const source = { id: 'src_1', url: 'https://example.com/', title: null, text, language: 'en' };
  const verifier = new ClaimVerifier([source], false, new CooperativeYield());
  return verifier.verify([{ text: claim, quotes: [{ source: 'src_1', quote }] }]);
}
