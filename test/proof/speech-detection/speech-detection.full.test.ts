import { expect, it } from '@jest/globals';
import { openAudio } from '../../support/builders/audio.js';
import { SOUNDS } from './sounds.js';
import { hear } from './speech-detection.js';

it.each(Object.keys(SOUNDS))('hears no word in %s, whatever an engine invents', async (name) => {
  using bed = await openAudio();

  const { words, calls } = await hear(bed, SOUNDS[name]?.(40, 7) ?? Buffer.alloc(0));

  expect(words).toEqual([]);
  expect(calls).toBe(0);
});
