import type { InlinePart, InlineText } from '../../units/inline-text.js';
import { joinInlineTexts } from '../../units/join-inline-texts.js';

/** Tabs, too: columns and indents hang on them. */
const LINE_BREAK = /(\r\n|\r|\n|\t)/;

/** Whether there is anything in a text that a language has words for. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** The characters of a unit, without its marks. */
export function plainText(unit: InlineText): string {
  return unit.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** A text whose line breaks and tabs stay, each a mark. */
export interface LinedText {
  readonly unit: InlineText;
  /** The line breaks and tabs, by their marks' numbers from 1. */
  readonly breaks: readonly string[];
  /** White space before and behind the unit. */
  readonly before: string;
  readonly after: string;
}

/** Makes a unit of a text without markup. */
export function toLinedText(text: string): LinedText {
  const core = text.trim();
  const start = text.indexOf(core);
  const breaks: string[] = [];
  const parts = core.split(LINE_BREAK).map((piece, index): InlinePart => {
    if (index % 2 === 0) return { kind: 'text', text: piece };
    breaks.push(piece);
    return { kind: 'single', mark: breaks.length };
  });
  return {
    unit: joinInlineTexts([parts]),
    breaks,
    before: text.slice(0, start),
    after: text.slice(start + core.length),
  };
}

/** The text that a unit of `toLinedText` has become. */
export function fromLinedText(unit: InlineText, { breaks, before, after }: LinedText): string {
  const text = unit.map((part) => (part.kind === 'text' ? part.text : (breaks[part.mark - 1] ?? ''))).join('');
  return before + text + after;
}

/**
 * Whether a text has each of the marks 1 to `count` once, pairs nested.
 * @param mayMiss whether a mark may be missing; default: none may
 */
export function isWellFormed(
  unit: InlineText,
  count: number,
  mayMiss: (mark: number) => boolean = () => false,
): boolean {
  const open: number[] = [];
  const seen = new Set<number>();
  for (const part of unit) {
    if (part.kind === 'text') continue;
    if (part.kind === 'close') {
      if (open.pop() !== part.mark) return false;
      continue;
    }
    if (seen.has(part.mark) || part.mark < 1 || part.mark > count) return false;
    seen.add(part.mark);
    if (part.kind === 'open') open.push(part.mark);
  }
  for (let mark = 1; mark <= count; mark += 1) if (!seen.has(mark) && !mayMiss(mark)) return false;
  return open.length === 0;
}
