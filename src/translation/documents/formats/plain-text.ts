import type { InlineText } from '../../units/inline-text.js';
import { hasLetters, plainText } from './inline-parts.js';
import { replaceUnit, textFormat } from './splices.js';
import type { TextUnit } from './splices.js';

/** A line, without its end. */
interface Line {
  readonly start: number;
  readonly text: string;
  /** Its end: a line break, or nothing. */
  readonly ending: string;
}

/** Lines that are shorter than this were not broken because they were full. */
const LEAST_WIDTH = 40;

const LIST_MARK = /^\s*(?:[-*•+–—>]|\(?(?:\d{1,3}|[a-z])[.)])\s/i;

/** Paragraphs, each as a whole; lines that are none of a paragraph, each by itself. */
export const plainTextFormat = textFormat(async function* readText(text, edit) {
  for (const paragraph of paragraphsOf(text)) {
    for (const unit of unitsOf(paragraph)) {
      if (!hasLetters(plainText(unit.unit))) continue;
      const splice = await replaceUnit(unit, edit);
      if (splice) yield splice;
    }
  }
});

/** Lines between blank ones. */
function* paragraphsOf(text: string): Generator<Line[], void, undefined> {
  let lines: Line[] = [];
  for (const { 0: line, index: start } of text.matchAll(/.*(?:\r\n|[\r\n\f\u2028\u2029]|$)/g)) {
    const ending = /[\r\n\f\u2028\u2029]*$/.exec(line)?.[0] ?? '';
    const content = line.slice(0, line.length - ending.length);
    if (content.trim() !== '') lines.push({ start, text: content, ending });
    else {
      if (lines.length > 0) yield lines;
      lines = [];
    }
  }
}

function* unitsOf(lines: readonly Line[]): Generator<TextUnit, void, undefined> {
  if (isFilled(lines)) yield filledUnit(lines);
  else
    for (const { start, text } of lines) {
      const mark = LIST_MARK.exec(text)?.[0].length ?? 0;
      const core = text.slice(mark).trim();
      const from = start + text.indexOf(core, mark);
      yield { start: from, end: from + core.length, unit: toUnit(core), write: plainText };
    }
}

/** Whether the lines of a paragraph end where the next word did not fit. */
function isFilled(lines: readonly Line[]): boolean {
  const width = widthOf(lines);
  if (lines.length < 2 || width < LEAST_WIDTH) return false;
  const indent = indentOf(lines[1]);
  return lines.every(({ text }, index) => {
    const next = lines[index + 1];
    if (index > 0 && (LIST_MARK.test(text) || indentOf(lines[index]) !== indent)) return false;
    if (!next) return true;
    const [word = ''] = /^\S+/.exec(next.text.trimStart()) ?? [];
    return text.trimEnd().length + 1 + word.length > width;
  });
}

/** A paragraph as one line; its translation is broken where it is as wide. */
function filledUnit(lines: readonly Line[]): TextUnit {
  const [first, second] = lines as [Line, Line];
  const last = lines.at(-1) as Line;
  const start = first.start + indentOf(first).length;
  const unit = toUnit(lines.map(({ text }) => text.trim()).join(' '));
  const write = (translation: InlineText): string =>
    fill(plainText(translation), widthOf(lines), [indentOf(first), indentOf(second)]).join(first.ending);
  return { start, end: last.start + last.text.trimEnd().length, unit, write };
}

/** Lines of a text; the first one's indent is there already. */
function fill(text: string, width: number, [first, next]: readonly [string, string]): string[] {
  const lines: string[] = [];
  let line = '';
  let indent = first;
  for (const word of text.split(/\s+/)) {
    const isFull = line !== '' && indent.length + line.length + 1 + word.length > width;
    if (isFull) {
      lines.push(lines.length === 0 ? line : next + line);
      [line, indent] = [word, next];
    } else line += line === '' ? word : ` ${word}`;
  }
  lines.push(lines.length === 0 ? line : next + line);
  return lines;
}

function widthOf(lines: readonly Line[]): number {
  return lines.reduce((width, { text }) => Math.max(width, text.trimEnd().length), 0);
}

function indentOf(line: Line | undefined): string {
  return /^\s*/.exec(line?.text ?? '')?.[0] ?? '';
}

function toUnit(text: string): InlineText {
  return [{ kind: 'text', text }];
}
