import { expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { ReadTexts } from '../../../src/researcher/pipeline/source-step.js';

it('names three copies of a text at most, the most alike first: a comparison takes long', async () => {
  const texts = new ReadTexts();
  for (let other = 50; other >= 0; other -= 1) texts.add(`less by ${other}`, runs(1_000 - other));
  texts.add('another text', runs(500));

  const copies = await texts.copiesOf(runs(1_000), new CooperativeYield());

  expect(copies).toEqual(['less by 0', 'less by 1', 'less by 2']);
});

function runs(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, at) => at);
}
