import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import { maskMarks } from './citation-marks.js';
import type { MaskedText } from './citation-marks.js';

/** What is longer is no sentence, such as data or code: it goes on in pieces, in UTF-16 units. */
const MOST_HELD = 4_000;
/** Sentences are looked for when a text has grown by such a share: each time costs as much as it is long. */
const GROWTH = 1 / 16;
/** Enough of a next sentence to see that the one before has ended: its first word, or two dozen units. */
const BEGUN = /^(?:\S+\s|.{24}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])/su;
const BLANK_LINES = /\n[^\S\n]*\n\s*/g;

/** Holds a text back that is written piece by piece until its sentences are whole, each with the marks behind it. */
export class SentenceBuffer {
  private held = '';
  private searched = 0;

  /** @returns the sentences that are whole now, each with the white space behind it: together, the text */
  push(piece: string): string[] {
    this.held += piece;
    if (this.held.length - this.searched < this.held.length * GROWTH) return [];
    const masked = maskMarks(this.held);
    const starts = startsIn(masked.spaces);
    if (!BEGUN.test(masked.spaces.slice(starts.at(-1)))) starts.pop();
    return this.release(starts, starts.length > 1 ? (starts.at(-1) ?? 0) : this.forcedEnd(masked));
  }

  /** @returns what is left, when the text has ended */
  end(): string[] {
    return this.release(startsIn(maskMarks(this.held).spaces), this.held.length);
  }

  private release(starts: readonly number[], end: number): string[] {
    const ends = [...starts.slice(1).filter((start) => start < end), end];
    const released = ends.map((to, index) => this.held.slice(ends[index - 1] ?? 0, to)).filter((text) => text !== '');
    this.held = this.held.slice(end);
    this.searched = this.held.length;
    return released;
  }

  /** Where a text is cut that has no sentences: behind a word, and neither inside of a mark nor before one. */
  private forcedEnd({ letters: words, finishedEnd: finished }: MaskedText): number {
    if (this.held.length <= MOST_HELD) return 0;
    // A mark is as much a part of its word as a letter, and so is the space before it.
    let at = finished;
    for (const least = MOST_HELD / 2; at > least; at -= 1) {
      if (isSpace(words, at - 1) && !isSpace(words, at) && this.held[at] === words[at]) return at;
    }
    return finished;
  }
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

/** Where sentences begin, the first at 0. What is masked belongs to the one before, but not over a blank line. */
function startsIn(masked: string): number[] {
  const starts: number[] = [];
  let before = 0;
  // A picture's exclamation mark ends none.
  for (const { start, end } of sentencesIn(masked.replaceAll('![', ' ['))) {
    const paragraph = [...masked.slice(before, start).matchAll(BLANK_LINES)].at(-1);
    starts.push(starts.length === 0 ? 0 : paragraph ? before + paragraph.index + blankLength(paragraph[0]) : start);
    before = end;
  }
  return starts;
}

/** Up to the end of its last line break: behind it masked marks may stand. */
function blankLength(blank: string): number {
  return blank.lastIndexOf('\n') + 1;
}
