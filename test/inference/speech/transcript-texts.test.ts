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

const SPELT = 'reach ada at example dot com or ask bob at example dot com today'.split(' ');

it.each([
  ['nothing', SPELT, ['Reach', '[CARD]', 'or', 'ask', '[CARD]', 'today.']],
  [
    'only one',
    [...SPELT.slice(0, 8), 'bob@example.com', 'today'],
    ['Reach', '[CARD]', 'or', 'ask', '[CARD]', 'today.'],
  ],
  [
    'a word that stands elsewhere',
    ['Reach', 'today', 'ada', '@example', '.com', 'or', 'ask', 'bob', '@example', '.com', 'today'],
    ['Reach', '[CARD]', 'or', 'ask', '[CARD]', 'today.'],
  ],
  ['too little', ['Reach', 'today', 'ada', '@example', '.com'], ['Reach', '[CARD] or ask [CARD] today.']],
])('tells what the text says with the times of words, of which %s is alike', async (_, cut, told) => {
  const words = cut.map(toWord);
  const text = 'Reach ada@example.com or ask bob@example.com today.';
  const answer = { text, words, segments: [{ text: cut.join(' '), start: 0, end: 9, words }] };

  await transformTranscript(answer, masking(/(ada|bob)@example\.com/g));

  expect(answer.text).toBe('Reach [CARD] or ask [CARD] today.');
  expect(answer.segments[0]?.text).toBe('Reach [CARD] or ask [CARD] today.');
  expect(JSON.stringify(answer)).not.toMatch(/ada|bob|example/);
  expect(answer.words.map(({ word }) => word)).toEqual(told);
});

it('leaves out words and segments of which nothing stands in a text that was changed', async () => {
  const words = Array.from({ length: 60 }, (_, index) => toWord(`other${index}`, index));
  const answer = {
    text: `Write to ada@example.com ${'today '.repeat(60)}`,
    words,
    segments: [{ text: 'other', words }],
  };

  await transformTranscript(answer, masking(/ada@example\.com/g));

  expect(answer).toEqual({ text: `Write to [CARD] ${'today '.repeat(60)}` });
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
