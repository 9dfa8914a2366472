import { sentencesIn } from '../../platform/text/sentences/sentences.js';

const LONGEST_SENTENCE = 1_000;

/** A word that needs no segmenter, between signs: most are such. Nothing reaches over these white spaces. */
const PLAIN_WORD = /^["'([]*([A-Za-z0-9]+)[.,;:!?)\]"']*$/;
const WHITE_SPACE = /[ \t\r\n]+/;
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
  for (const part of sentence.split(WHITE_SPACE)) {
    const plain = PLAIN_WORD.exec(part)?.[1];
    if (plain !== undefined) words.push(plain.toLowerCase());
    else addSegments(part, words);
  }
  return words;
}

function addSegments(part: string, words: string[]): void {
  for (const { segment, isWordLike } of wordSegmenter.segment(part)) {
    if (isWordLike) words.push(segment.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  }
}
