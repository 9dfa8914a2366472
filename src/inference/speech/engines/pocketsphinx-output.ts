import type { AudioSpan } from '../audio.types.js';

/** A word with its times, in seconds from the start of the file. */
export interface TimedWord extends AudioSpan {
  readonly word: string;
}

/** What was said in one span. */
export interface SpanHypothesis {
  readonly words: readonly TimedWord[];
}

const FRAMES_PER_SECOND = 100;
/** Silence, noise, breath, and the beginning and end of a sentence. */
const NO_WORD = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
/** The second and later pronunciations of a word. */
const PRONUNCIATION = /\(\d+\)$/;
const HEAD = /^span-(\d+) S \S+ T \S+ A \S+ L \S+ /;

/**
 * Reads what `pocketsphinx_batch -hypseg` writes: a line for each span, with scores, and for each word the frame in which
 * it begins, two scores, and the word; the last number is the frame behind the last word.
 * @param spans as they were asked for, in the order of their ids
 */
export function parseSegmentations(text: string, spans: readonly AudioSpan[]): SpanHypothesis[] {
  const found = spans.map((): SpanHypothesis => ({ words: [] }));
  for (const line of text.split('\n')) {
    const head = HEAD.exec(line);
    const index = Number(head?.[1]);
    const span = spans[index];
    if (head && span) found[index] = { words: wordsOf(line.slice(head[0].length).trim().split(/\s+/), span) };
  }
  return found;
}

function wordsOf(fields: readonly string[], span: AudioSpan): TimedWord[] {
  const words: TimedWord[] = [];
  const offset = Math.max(0, Math.floor(span.start * FRAMES_PER_SECOND));
  const seconds = (frame: string | undefined): number => (offset + Number(frame)) / FRAMES_PER_SECOND;
  for (let at = 0; at + 4 < fields.length; at += 4) {
    const written = fields[at + 3] ?? '';
    if (NO_WORD.test(written)) continue;
    words.push({ word: written.replace(PRONUNCIATION, ''), start: seconds(fields[at]), end: seconds(fields[at + 4]) });
  }
  return words;
}
