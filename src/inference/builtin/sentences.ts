import { sentencesIn } from '../../platform/text/sentences/sentences.js';

const LONGEST_SENTENCE = 1_000;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The sentences of a text in order, trimmed; lines end sentences too. Longer ones than 1,000 characters come in pieces.
 * It is lazy: who stops early has paid for no more.
 */
export function* sentencesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n]+/)) {
    for (const { start, end } of sentencesIn(line)) {
      for (let at = start; at < end; at += LONGEST_SENTENCE) {
        const sentence = line.slice(at, Math.min(at + LONGEST_SENTENCE, end)).trim();
        if (sentence !== '') yield sentence;
      }
    }
  }
}

/** The words of a sentence in a form that compares: compatible characters, lower case, no accents. */
export function wordsOf(sentence: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of wordSegmenter.segment(sentence)) {
    if (isWordLike) words.push(segment.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  }
  return words;
}
