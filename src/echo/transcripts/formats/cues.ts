import { CUE_LINE_CHARACTERS, wrappedLines } from '../../../platform/text/wrapped-lines.js';
import type { TranscriptSegment, TranscriptWord } from '../transcripts.types.js';

const LINES = 2;

/** A segment that becomes cues. */
export interface CueSegment extends Pick<TranscriptSegment, 'start' | 'end' | 'text' | 'speaker'> {
  readonly words: readonly Pick<TranscriptWord, 'word' | 'start'>[] | null;
}

/** What is shown at once, in seconds of the recording. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly speaker: string | null;
  readonly lines: readonly string[];
}

/**
 * The cues of a segment: two lines each at most, of as many characters as are read at once. The times of a cue within a
 * segment are those of its words, else its share of the segment.
 * @param shownText of the segment
 * @param label before the text, which nobody says
 */
export function toCues(segment: CueSegment, shownText: string, label = ''): Cue[] {
  const { speaker, start, end } = segment;
  const lines = wrappedLines(label + shownText, CUE_LINE_CHARACTERS, LINES);
  const shown: string[][] = [];
  for (let at = 0; at < lines.length; at += LINES) shown.push(lines.slice(at, at + LINES));
  if (shown.length === 0) return [{ start, end, speaker, lines: [''] }];
  const starts = startsOf(segment, shown, countLetters(label));
  return shown.map((own, index) => ({
    start: starts[index] ?? start,
    end: starts[index + 1] ?? end,
    speaker,
    lines: own,
  }));
}

function startsOf({ start, end, words }: CueSegment, shown: readonly (readonly string[])[], unsaid: number): number[] {
  const counts = shown.map((lines) => countLetters(lines.join('')));
  const total = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, -unsaid),
  );
  let [said, last] = [-unsaid, start];
  return counts.map((count, index) => {
    const time = words ? startBehind(words, said, end) : start + ((end - start) * said) / total;
    last = index === 0 ? start : Math.min(end, Math.max(last, time));
    said += count;
    return last;
  });
}

/** When the first word begins behind so many letters. */
function startBehind(words: NonNullable<CueSegment['words']>, letters: number, end: number): number {
  let seen = 0;
  for (const { word, start } of words) {
    if (seen >= letters) return start;
    seen += countLetters(word);
  }
  return end;
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
