import { expect, it } from '@jest/globals';
import { transformTranscript } from '../../../src/inference/speech/transcript-texts.js';
import type { TextTransform } from '../../../src/inference/calls/text-transform.js';

it('finds what goes over the words that segments have of their own, and over their borders', async () => {
  const answer = {
    text: 'ok',
    segments: [
      { text: 'my card is 4111', start: 0, end: 2, words: wordsOf('my card is 4111', 0) },
      { text: 'nothing here', start: 2, end: 3 },
      { text: '1111 bye', start: 3, end: 4, words: wordsOf('1111 bye', 3) },
    ],
  };

  await transformTranscript(answer, masking(/4111 1111/g));

  expect(answer.segments.map(({ words }) => words?.map(({ word }) => word))).toEqual([
    ['my', 'card', 'is', '[CARD]'],
    undefined,
    ['bye'],
  ]);
  // With the times of all that it stands for.
  expect(answer.segments[0]?.words?.at(-1)).toMatchObject({ start: 3, end: 4 });
});

function wordsOf(text: string, first: number) {
  return text.split(' ').map((word, index) => ({ word, start: first + index, end: first + index + 1 }));
}

function masking(found: RegExp): TextTransform {
  return {
    transformPrompt: (text) => text,
    beginAnswer: () => ({ write: (piece) => piece.replaceAll(found, '[CARD]'), end: () => '' }),
  };
}
