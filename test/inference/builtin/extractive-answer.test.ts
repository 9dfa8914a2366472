import { describe, expect, it, jest } from '@jest/globals';
import { extractAnswer } from '../../../src/inference/builtin/extractive-answer.js';

const HANDBOOK = [
  'The office opens at nine in the morning.',
  'Lunch is served at noon in the canteen on the second floor.',
  'Employees may take thirty days of holiday each year.',
  'Holiday requests go to the line manager two weeks ahead.',
  'Dogs are welcome on Fridays.',
].join(' ');

describe('an extracted answer', () => {
  it('is the sentence that matches the question', async () => {
    expect(await answer(['system', HANDBOOK], ['user', 'When does the office open?'])).toEqual([
      'The office opens at nine in the morning.',
    ]);
  });

  it('keeps the order of the text, and has three sentences at most', async () => {
    const text = 'Cats sleep a lot. A cat eats fish. Birds sing. The cat likes milk. My cat hunts mice. A cat purrs.';

    const sentences = await answer(['system', text], ['user', 'What does a cat do, cat lovers?']);

    expect(sentences.length).toBeLessThanOrEqual(3);
    expect(sentences).toEqual([...sentences].sort((a, b) => text.indexOf(a) - text.indexOf(b)));
    expect(sentences.every((sentence) => /cat/i.test(sentence))).toBe(true);
  });

  it('finds words whatever their case and accents, and in other scripts', async () => {
    expect(await answer(['system', 'Le CAFÉ ferme à midi. Le jardin est grand.'], ['user', 'cafe?'])).toEqual([
      'Le CAFÉ ferme à midi.',
    ]);
    expect(await answer(['system', '会社は九時に開きます。犬は金曜日に歓迎されます。'], ['user', '犬は?'])).toEqual([
      '犬は金曜日に歓迎されます。',
    ]);
  });

  it('uses the latest question and everything said around it', async () => {
    const sentences = await answer(
      ['user', 'Is lunch at noon?'],
      ['assistant', 'The kitchen closes at two.'],
      ['user', 'When does the kitchen close?'],
    );

    expect(sentences).toEqual(['The kitchen closes at two.']);
  });

  it('says what is central where nothing matches', async () => {
    const sentences = await answer(['system', HANDBOOK], ['user', 'Quantum chromodynamics?']);

    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.every((sentence) => HANDBOOK.includes(sentence))).toBe(true);
  });

  it('has the question itself where nothing else was said', async () => {
    expect(await answer(['user', 'Hello there!'])).toEqual(['Hello there!']);
  });

  it('is empty only where no text is', async () => {
    expect(await answer(['user', ''])).toEqual([]);
    expect(await answer(['system', ' \n '], ['user', ''])).toEqual([]);
    expect(await answer(['user', '???'])).toEqual(['???']);
  });

  it('is the same every time', async () => {
    const ask = () => answer(['system', HANDBOOK], ['user', 'holiday floor office dogs']);

    expect(await ask()).toEqual(await ask());
  });

  it('says no sentence twice', async () => {
    const sentences = await answer(
      ['system', HANDBOOK],
      ['assistant', 'Dogs are welcome on Fridays.'],
      ['user', 'Dogs?'],
    );

    expect(sentences).toEqual(['Dogs are welcome on Fridays.']);
  });

  it('lets others have their turn in a huge conversation', async () => {
    const long = Array.from({ length: 60_000 }, (_, index) => `Sentence ${index} tells of thing ${index % 97}.`).join(
      ' ',
    );
    let [now, turns, isOver] = [0, 0, false];
    // A millisecond between any two looks at the clock.
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    const others = (async () => {
      for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    })();

    const sentences = await answer(
      ['system', long],
      ['system', 'x'.repeat(1_000_000)],
      ['user', 'Which one tells of thing 42?'],
    );
    isOver = true;
    await others;
    jest.restoreAllMocks();

    expect(sentences).toHaveLength(3);
    // Of 2,000 sentences that are read.
    expect(turns).toBeGreaterThan(400);
  });

  it('stops when nobody waits any more', async () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `Sentence ${index} is here.`).join(' ');

    const pending = extractAnswer([{ role: 'system', content: long }], AbortSignal.abort(new Error('gone')));

    await expect(pending).rejects.toThrow('gone');
  });
});

function answer(...messages: [string, string][]): Promise<string[]> {
  const { signal } = new AbortController();
  return extractAnswer(
    messages.map(([role, content]) => ({ role, content })),
    signal,
  );
}
