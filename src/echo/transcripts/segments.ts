import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import type { TranscriptSegment, TranscriptWord } from './transcripts.types.js';

/** A pause that ends a segment, in seconds. */
const PAUSE_SECONDS = 0.8;
/** A segment that is as long as this ends with its sentence; one of LONG_SECONDS with the next short pause. */
const SENTENCE_SECONDS = 2;
const LONG_SECONDS = 12;
const SHORT_PAUSE_SECONDS = 0.2;
/** However people speak. */
const LONGEST_SECONDS = 20;

/** What ends a sentence, if it is no abbreviation. */
export const SENTENCE_END = /[.?!…。？！]["'”’)\]]*\s*$/;

/**
 * Puts words together into segments: at pauses, ends of sentences, changes of the speaker.
 * @param words in order
 * @param groups of each word the number of the engine's own segment; where it changes, a segment ends too
 */
export function toSegments(words: readonly TranscriptWord[], groups?: readonly number[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let open: TranscriptWord[] = [];
  for (const [index, word] of words.entries()) {
    const last = open.at(-1);
    const isNewGroup = groups !== undefined && index > 0 && groups[index] !== groups[index - 1];
    if (last && (isNewGroup || isBreak(open, last, word, groups !== undefined))) {
      segments.push(toSegment(open));
      open = [];
    }
    open.push(word);
  }
  if (open.length > 0) segments.push(toSegment(open));
  return segments;
}

/** A segment of these words. @param words at least one */
export function toSegment(words: readonly TranscriptWord[], lowConfidence = false): TranscriptSegment {
  const [first, last] = [words[0] as TranscriptWord, words.at(-1) as TranscriptWord];
  return {
    start: first.start,
    end: Math.max(last.end, ...words.slice(-3).map(({ end }) => end)),
    text: textOf(words.map(({ display }) => display)),
    speaker: first.speaker,
    words,
    lowConfidence,
  };
}

/** Parts of a text in one line. */
export function textOf(parts: readonly string[]): string {
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function isBreak(
  open: readonly TranscriptWord[],
  last: TranscriptWord,
  next: TranscriptWord,
  hasGroups: boolean,
): boolean {
  const pause = next.start - last.end;
  if (next.speaker !== last.speaker || pause >= PAUSE_SECONDS) return true;
  if (hasGroups) return false;
  const first = open[0] as TranscriptWord;
  const length = last.end - first.start;
  if (length >= SENTENCE_SECONDS && endsSentence(open, next)) return true;
  return (length >= LONG_SECONDS && pause >= SHORT_PAUSE_SECONDS) || next.end - first.start > LONGEST_SECONDS;
}

/** The full stop of `Dr.` ends none. */
function endsSentence(open: readonly TranscriptWord[], { display }: TranscriptWord): boolean {
  if (!SENTENCE_END.test(open.at(-1)?.display ?? '')) return false;
  const said = textOf(open.map((word) => word.display));
  const last = [...sentencesIn(`${said} ${display}`)].at(-1);
  return last !== undefined && last.start >= said.length;
}
