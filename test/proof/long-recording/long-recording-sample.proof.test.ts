import { describe, expect, it } from '@jest/globals';
import { openAudio } from '../../support/builders/audio.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import { decodedTimes, FORMATS } from './decoded-times.js';
import { makeTalk } from './known-talk.js';
import { MOST_OFF, tell } from './long-recording.js';
import { compareWords } from './told-words.js';

describe('a long recording', () => {
  it('has every word once, where it was said, however often it is cut', async () => {
    const talk = makeTalk({ seconds: 150, seed: 18, voices: ['slt', 'awb'], sentences: 4 });
    const bed = await startSpeechBed([{ audio: { max_seconds: 20 } }]);

    const told = await tell({ origin: bed.platform.url, token: bed.token }, bed, talk);
    await bed.close();

    expect(told).toMatchObject({ lost: 0, doubled: 0, misplaced: 0, warnings: 0 });
    expect(Math.max(told.p95AtStart, told.p95AtEnd)).toBeLessThanOrEqual(MOST_OFF);
    expect(told.calls).toBeGreaterThan(4);
  });

  it('lies where it was when it was decoded from another format', async () => {
    const talk = makeTalk({ seconds: 60, seed: 18, voices: ['rms'], sentences: 3 });
    using bed = await openAudio();

    for (const format of Object.values(FORMATS)) {
      const { atStart, atEnd } = await decodedTimes(bed, talk, format);
      expect(Math.max(atStart, atEnd)).toBeLessThan(0.05);
    }
  });
});

it('counts words that are lost, there twice, and out of order', () => {
  const words = ['a', 'b', 'c', 'd'].map((word, sentence) => ({
    word,
    sentence,
    start: sentence * 16_000,
    end: sentence * 16_000 + 8_000,
    peak: 0,
  }));
  const told = ['b', 'a', 'b', 'c'].map((word) => ({ word, start: 1, end: 1.5 }));

  const errors = compareWords(words, told, 4);

  expect(errors).toMatchObject({ words: 4, lost: 1, doubled: 1, misplaced: 1, most: 1 });
});
