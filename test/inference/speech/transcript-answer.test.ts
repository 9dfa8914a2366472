import { describe, expect, it } from '@jest/globals';
import { toTranscribedAudio } from '../../../src/inference/speech/transcript-answer.js';

const word = (text: string) => ({ word: text, start: 0, end: 1 });
const segment = (text: string) => ({ text, start: 0, end: 1 });

describe('toTranscribedAudio', () => {
  it.each([
    ['words', { text: 'a', words: Array(1_001).fill(word('a')) }],
    ['words within segments', { segments: [{ ...segment('a'), words: Array(1_001).fill(word('a')) }] }],
    ['segments', { text: 'a', segments: Array(401).fill(segment('a')) }],
    ['text', { text: 'a'.repeat(20_001) }],
    ['text in its words', { text: 'a', words: Array(2).fill(word('a'.repeat(10_001))) }],
    ['text in its segments', { text: 'a', segments: Array(2).fill(segment('a'.repeat(10_001))) }],
  ])('refuses more %s than anybody says in the seconds of the audio', (_, answer) => {
    expect(() => toTranscribedAudio(answer, 'heard', 10)).toThrow('too many parts');
    expect(() => toTranscribedAudio(answer, 'heard', 60)).not.toThrow();
  });

  it.each([
    ['text', { text: 'a\u202e'.repeat(25_000) }],
    ['its words', { text: 'a', words: Array(200).fill(word('\u202e'.repeat(500))) }],
    ['its segments', { segments: Array(200).fill({ ...segment('a'), speaker: '\u202e'.repeat(500) }) }],
  ])('refuses signs that nobody sees before it looks through them, in %s', (_, answer) => {
    expect(() => toTranscribedAudio(answer, 'heard', 0)).toThrow('too many parts');
    expect(() => toTranscribedAudio({ text: 'a'.repeat(2_000_001) }, 'heard')).toThrow('too many parts');
  });

  it('cuts words and labels of speakers between two characters', () => {
    const long = `${'a'.repeat(199)}😀b`;
    const speaker = `${'a'.repeat(63)}😀b`;
    const answer = { text: long, words: [word(long)], segments: [{ ...segment(long), speaker }] };

    const { text, words, segments } = toTranscribedAudio(answer, 'heard', 1);

    expect(text).toBe(long);
    expect(words?.[0]?.word).toBe(`${'a'.repeat(199)}😀`);
    expect(segments?.[0]).toMatchObject({ text: long, speaker: `${'a'.repeat(63)}😀` });
  });

  it('has no text that cannot be stored or shown, wherever the engine tells it', () => {
    const bad = 'a\u0000b\ud800c\u001b\u009bd\u202e\u2066e\tf\ng\udc00';
    const good = 'ab\ufffdcde\tf\ng\ufffd';
    const entries = { words: [word(bad)], segments: [{ ...segment(bad), speaker: bad, words: [word(bad)] }] };
    const answer = { text: bad, language: 'en', ...entries };

    const { text, words, segments } = toTranscribedAudio(answer, 'heard', 1);

    expect(text).toBe(good);
    expect(words).toMatchObject([{ word: good }]);
    expect(segments).toMatchObject([{ text: good, speaker: good }]);
    // What is looked through before it is given on is the same.
    expect(answer).toMatchObject({ text: good, segments: [{ text: good, words: [{ word: good }] }] });
    expect(JSON.stringify(answer)).not.toMatch(/\\u(0000|d800|dc00)/);
  });

  it.each([
    ['en', 'en'],
    ['pt-BR', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['portuguese', 'portuguese'],
    ['', null],
    ['e\u0000n', null],
    ['<b>', null],
    ['en'.repeat(50), null],
    [7, null],
  ])('has a language that is one: %j', (language, expected) => {
    expect(toTranscribedAudio({ text: 'a', language }, 'heard', 1).language).toBe(expected);
  });
});
