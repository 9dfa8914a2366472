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

it.each([
  [
    'as Whisper writes them',
    ['Write', ' to', ' ada', '@example', '.com', ' today', '.'],
    'Write to ada@example.com today.',
  ],
  ['without blanks and signs', ['Write', 'to', 'ada', 'example', 'com', 'today'], 'Write to ada@example.com today.'],
  ['without blanks', ['Write', 'to', 'ada', '@example', '.com', 'today.'], 'Write to ada@example.com today.'],
])('finds an address that is cut into words %s', async (_, words, text) => {
  const answer = { text, words: words.map(toWord), segments: [{ text, start: 0, end: 9, words: words.map(toWord) }] };

  await transformTranscript(answer, masking(/ada@example\.com/g));

  const masked = ['Write', 'to', '[CARD]', 'today'];
  expect(answer.text).toBe('Write to [CARD] today.');
  expect(answer.segments[0]?.text).toBe('Write to [CARD] today.');
  for (const list of [answer.words, answer.segments[0]?.words ?? []]) {
    expect(list.map(({ word }) => word.replace(/\.$/, '')).filter(Boolean)).toEqual(masked);
    expect(list[2]).toMatchObject({ start: 2, end: 5 });
  }
});

it('finds what is written without blanks, and leaves the signs around it their times', async () => {
  const answer = { text: '我们的極光計画已经', words: [...'我们的極光計画已经'].map(toWord) };

  await transformTranscript(answer, masking(/極光計画/g));

  expect(answer.words.map(({ word }) => word)).toEqual(['我', '们', '的', '[CARD]', '已', '经']);
  expect(answer.words[3]).toMatchObject({ start: 3, end: 7 });
});

it.each([true, false])(
  'finds what goes over segments where no blank stands between them, with the text: %s',
  async (hasText) => {
    const segments = [' Write to ada', '@example.com.'].map((text, start) => ({ text, start, end: start + 1 }));
    const answer = { ...(hasText && { text: 'Write to ada@example.com.' }), segments };

    await transformTranscript(answer, masking(/ada@example\.com/g));

    expect(answer.segments.map(({ text }) => text)).toEqual(['Write to [CARD].', '']);
  },
);

it('leaves out words and segments in which what the text had is not found', async () => {
  const words = ['reach', 'ada', 'at', 'example', 'dot', 'com'].map(toWord);
  const answer = {
    text: 'Write to ada@example.com',
    words,
    segments: [{ text: 'ada at example.com', start: 0, end: 9, words }],
  };

  await transformTranscript(answer, masking(/ada@example\.com/g));

  expect(answer).toEqual({ text: 'Write to [CARD]' });
});

it('leaves words without anything to change as they are, with their times', async () => {
  const answer = { text: 'Nothing to see here.', words: ['Nothing', 'to', 'see', 'here'].map(toWord) };

  await transformTranscript(answer, masking(/ada/g));

  expect(answer.words).toEqual(['Nothing', 'to', 'see', 'here'].map(toWord));
});

function toWord(word: string, index: number) {
  return { word, start: index, end: index + 1 };
}

function wordsOf(text: string, first: number) {
  return text.split(' ').map((word, index) => ({ word, start: first + index, end: first + index + 1 }));
}

function masking(found: RegExp): TextTransform {
  return {
    transformPrompt: (text) => text,
    beginAnswer: () => ({ write: (piece) => piece.replaceAll(found, '[CARD]'), end: () => '' }),
  };
}
