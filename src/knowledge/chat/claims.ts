import { decodeHTML } from 'entities';
import { lineStart, maskPlain, withoutMasks } from './hidden-text.js';
import type { HiddenText } from './hidden-text.js';

/** What emphasizes a part of a word, or the number behind a sign. */
const IN_WORD = /(?<=[\p{L}\p{M}'\u2019])[*`]+(?=\p{L})/gu;
const BEHIND_SIGN = /(?<=[\p{Pd}\u02d7\u2043\u2052\u2212\u2796]\p{Sc}?)[*`_$\\{}]+(?=[\p{N}\p{Sc}])/gu;
const CELL_END = /[|\n\r\u2028\u2029]/;

/** What is said at a mark, in all ways that it may be read: what nobody sees must not help it to its words. */
export type Claim = readonly string[];

/** What is said at the marks of a sentence. */
export class Claims {
  /** The parts with what is hidden of them masked; in code, as they are written. */
  private readonly shown: readonly string[];
  private readonly mayBeRow: boolean;

  /**
   * @param between what stands between the marks, before the first one and behind the last one
   * @param hidden what the text of the sentence hides so far
   */
  constructor(
    private readonly between: readonly string[],
    private readonly hidden: HiddenText,
  ) {
    this.shown = hidden.isCode ? between : maskedParts(between);
    this.mayBeRow = hidden.isInRow || between.some((part) => part.includes('|'));
  }

  /** What may be said at a mark: of several in a sentence, each is that of what stands before it, or of the whole. */
  at(index: number): Claim[] {
    const { length } = this.between;
    const whole = this.claim(index, 0, length);
    if (length === 2) return [whole];
    return [this.claim(index, index, index === length - 2 ? length : index + 1), whole];
  }

  private claim(index: number, from: number, to: number): Claim {
    const written = this.between.slice(from, to).join('');
    if (this.hidden.isCode) return [written];
    const shown = this.shown.slice(from, to).join('');
    if (!this.mayBeRow) return [written, readShown(shown)];
    const before = this.between.slice(from, index + 1).join('');
    const rest = written.slice(before.length).search(CELL_END);
    const row = shown.slice(lineStart(before), rest < 0 ? undefined : before.length + rest);
    return [written, readShown(shown), readShown(row)];
  }
}

function maskedParts(parts: readonly string[]): string[] {
  const masked = maskPlain(parts.join(''));
  let at = 0;
  return parts.map((part) => {
    at += part.length;
    return masked.slice(at - part.length, at);
  });
}

/** A text with its character references read, and without what emphasizes words and numbers. */
function readShown(masked: string): string {
  return decodeHTML(withoutMasks(masked)).replaceAll(IN_WORD, '').replaceAll(BEHIND_SIGN, '');
}
