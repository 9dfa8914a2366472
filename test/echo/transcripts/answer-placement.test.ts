import { describe, expect, it } from '@jest/globals';
import { placeAnswer } from '../../../src/echo/transcripts/answer-placement.js';
import { joinChunks } from '../../../src/echo/transcripts/join-chunks.js';
import type { Chunk } from '../../../src/echo/transcripts/transcripts.types.js';

describe('what an engine said, put where it was said', () => {
  it('is on the time of the recording, with its punctuation', () => {
    const words = [word('Hello', 0.3, 0.8), word('world', 1, 1.6), word('Good', 3.2, 3.6), word('bye', 3.7, 4.2)];

    const { segments, timing, dropped } = placeAnswer(answer('Hello, world. Good-bye!', words), CHUNK);

    expect(timing).toBe('words');
    expect(dropped).toBe(0);
    expect(segments.map(({ text }) => text)).toEqual(['Hello, world.', 'Good-bye!']);
    expect(segments.map(({ start, end }) => [start, end])).toEqual([
      [expect.closeTo(10.05, 5), expect.closeTo(11.35, 5)],
      [expect.closeTo(100.15, 5), expect.closeTo(101.15, 5)],
    ]);
  });

  it('has no word where nobody speaks', () => {
    const words = [
      word('Hello', 0.3, 0.8),
      word('Thanks', 2.52, 2.6),
      word('for', 2.6, 2.7),
      word('watching', 2.7, 2.79),
    ];

    const { segments, dropped } = placeAnswer(answer('Hello. Thanks for watching', words), CHUNK);

    expect(segments.map(({ text }) => text)).toEqual(['Hello.']);
    expect(dropped).toBe(3);
  });

  it('puts words between their neighbours whose times are no numbers, lie outside or go backward', () => {
    const words = [
      word('one', 0.3, 0.5),
      word('two', Number.NaN, Number.NaN),
      word('three', 1, 1.3),
      word('four', 0.1, 0.2),
      word('five', 1.5, 1.8),
      word('six', 9_000, 9_001),
    ];

    const { segments } = placeAnswer(answer('one two three four five six', words.slice(0, 5)), CHUNK);
    const placed = segments.flatMap((segment) => segment.words ?? []);

    expect(placed.map((item) => item.word)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(placed.every(({ start, end }, index) => end > start && start >= (placed[index - 1]?.start ?? 0))).toBe(true);
    expect(placed.at(-1)?.end).toBeLessThanOrEqual(12.25);
    const beyond = placeAnswer(answer('one two three four five six', words), CHUNK).segments.at(-1);
    expect(beyond?.text).toBe('one two three four five');
  });

  it.each([
    [
      'words',
      {
        text: 'ok',
        words: Array.from({ length: 20 }, (_, index) => word('thanks', 0.3 + index / 20, 0.34 + index / 20)),
      },
    ],
    [
      'segments',
      {
        text: 'ok',
        segments: Array.from({ length: 20 }, () => ({ text: 'thank you', start: 0.3, end: 2, speaker: null })),
      },
    ],
  ])('is a loop also where only %s repeat', (_what, said) => {
    expect(placeAnswer({ ...answer('ok', []), ...said }, CHUNK).isLoop).toBe(true);
  });

  it.each([
    [
      'one word of many has a time',
      Array.from({ length: 300 }, (_, index) => `w${index}`).join(' '),
      [word('w0', 0.3, 0.8)],
    ],
    [
      'all lie behind the end',
      'all of it invented',
      [word('all', 50, 51), word('of', 51, 52), word('it', 52, 53), word('invented', 53, 54)],
    ],
  ])('says that times cannot be where %s', (_what, text, words) => {
    const placed = placeAnswer(answer(text, words), CHUNK);

    expect(placed).toMatchObject({ timing: 'none', hasFalseTimes: true });
    expect(joinChunks([placed], null).segments.every(({ lowConfidence }) => lowConfidence)).toBe(true);
  });

  it('believes no times where most are of no use', () => {
    const words = [word('one', Number.NaN, 1), word('two', Number.NaN, 1), word('three', 1, 1.3)];

    const { timing, segments } = placeAnswer(answer('one two three', words), CHUNK);

    expect(timing).toBe('none');
    expect(segments).toEqual([expect.objectContaining({ start: 10, end: 103, text: 'one two three', words: null })]);
  });

  it('keeps what was said where all times lie behind the end of the file, as those in another unit do', () => {
    const words = [word('one', 300, 800), word('two', 1_000, 1_300)];
    const segments = [{ ...words[0], text: 'one two', speaker: null }] as never;

    const byWords = placeAnswer(answer('one two', words), CHUNK);
    const bySegments = placeAnswer({ ...answer('one two', []), segments }, CHUNK);

    expect([byWords.timing, byWords.segments.map(({ text }) => text)]).toEqual(['none', ['one two']]);
    expect([bySegments.timing, bySegments.segments.map(({ text }) => text)]).toEqual(['none', ['one two']]);
  });

  it('cuts segments where the engine does, and leaves out those that it has made up', () => {
    const segments = [
      { text: ' Hello, world.', start: 0.2, end: 2.2, speaker: 'A' },
      { text: ' Thanks for watching!', start: 2.52, end: 2.78, speaker: 'A' },
      { text: ' Good-bye.', start: 3, end: 5, speaker: 'B' },
    ];

    const placed = placeAnswer({ text: '', language: 'en', words: null, segments }, CHUNK);

    expect(placed).toMatchObject({ timing: 'segments', dropped: 1, language: 'en' });
    expect(placed.segments.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['Hello, world.', 'A'],
      ['Good-bye.', 'B'],
    ]);
  });

  it('marks what an engine says again and again', () => {
    const loop = placeAnswer(answer('and the harbour '.repeat(12), []), CHUNK);
    const people = placeAnswer(answer('No, no, no, no. Very, very good. It is what it is.', []), CHUNK);

    expect(loop.isLoop).toBe(true);
    expect(people.isLoop).toBe(false);
    expect(joinChunks([loop], 200).segments[0]?.lowConfidence).toBe(true);
    expect(joinChunks([people], 200)).toMatchObject({ timing: 'none', durationSeconds: 200 });
  });

  it('keeps texts of languages without blanks whole', () => {
    const words = [word('今日', 0.3, 0.6), word('は', 0.6, 0.7), word('良い', 0.8, 1), word('天気', 1, 1.4)];

    const { segments } = placeAnswer(answer('今日は、良い天気。', words), CHUNK);

    expect(segments.map(({ text }) => text)).toEqual(['今日は、良い天気。']);
  });
});

function word(text: string, start: number, end: number) {
  return { word: text, start, end, confidence: null };
}

function answer(text: string, words: ReturnType<typeof word>[]) {
  return { text, language: null, words, segments: null };
}

/** Speech at 10–12 and 100–103 s, of which the second stands at 3 s of the file. */
const CHUNK: Chunk = {
  index: 0,
  pieces: [
    { start: 9.75, end: 12.25, at: 0 },
    { start: 99.75, end: 103.25, at: 2.8 },
  ],
  spans: [
    { start: 10, end: 12 },
    { start: 100, end: 103 },
  ],
  seconds: 6.3,
};
