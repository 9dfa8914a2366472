import { expect, it } from '@jest/globals';
import { openAudio } from '../../support/builders/audio.js';
import { converse } from './conversations.js';
import { listenTo, MOST_WRONG } from './speakers.js';

it.each([
  { cast: ['slt', 'awb'], seed: 2 },
  { cast: ['slt', 'rms', 'kal16'], seed: 4 },
  { cast: ['rms'], seed: 6 },
])('tells $cast apart, however soon they speak after each other', async ({ cast, seed }) => {
  using bed = await openAudio();

  const { found, wrong } = await listenTo(bed, converse(cast, 8, seed));

  expect(found).toBe(cast.length);
  expect(wrong).toBeLessThanOrEqual(MOST_WRONG);
});
