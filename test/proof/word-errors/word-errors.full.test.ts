import { expect, it } from '@jest/globals';
import { openAudio } from '../../support/builders/audio.js';
import { knownRecordings } from './recordings.js';
import { compare, findEngine } from './word-errors.js';
import { wordErrors } from './word-error-rate.js';

it('has an engine hear a sentence through this server as well as alone', async () => {
  using bed = await openAudio();
  const engine = await findEngine(bed);
  const [known] = knownRecordings(3, 3).filter(({ name }) => name === 'flite rms');

  const { alone, through } = await compare(bed, engine, known as NonNullable<typeof known>);

  expect(through).toBeLessThanOrEqual(alone + 0.1);
});

it('counts words that are put in, left out and changed', () => {
  expect(wordErrors(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toBe(2);
  expect(wordErrors(['a', 'b'], [])).toBe(2);
});
