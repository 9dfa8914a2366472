import type { TextSpan } from '../../platform/text/text-span.js';
import { htmlUnitSteps } from '../html/read-html-units.js';
import type { InlineText } from '../units/inline-text.js';

/** What a text is written in. */
export type TextFormat = 'text' | 'html';

/** A text, taken apart. */
export interface TextUnits {
  readonly units: readonly InlineText[];
  /** The text with other units in the place of its own; in steps; all between them is as it was. @param units as many, in their order */
  write(units: readonly InlineText[]): Generator<void, string>;
}

/** A line without its break, and how many more braces it opens than it closes. */
interface Line extends TextSpan {
  readonly opened: number;
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/g;
const BRACE = /[{}]/g;
/** Lines that a placeholder, such as a message of ICU, may go over. */
const MOST_LINES = 100;

/**
 * Takes a text apart into what is translated as a whole, in steps.
 * @param most where there are more units than that, the rest of the text is not read
 */
export function readTextSteps(text: string, format: TextFormat, most: number): Generator<void, TextUnits> {
  return format === 'html' ? readHtml(text, most) : readPlainText(text, most);
}

/** Each line is a unit, but for those that a placeholder goes over: they are one. */
function* readPlainText(text: string, most: number): Generator<void, TextUnits> {
  const units: TextSpan[] = [];
  const ahead: Line[] = [];
  const lines = linesOf(text);
  for (;;) {
    while (ahead.length < MOST_LINES) {
      const line = lines.next();
      if (line.done) break;
      ahead.push(line.value);
    }
    const [first] = ahead;
    if (!first) break;
    const count = countJoined(ahead);
    const last = ahead[count - 1] ?? first;
    if (last.end > first.start) units.push({ start: first.start, end: last.end });
    if (units.length > most) break;
    ahead.splice(0, count);
    yield;
  }
  return {
    units: units.map(({ start, end }) => [{ kind: 'text', text: text.slice(start, end) }]),
    write: (translations) => writePlainText(text, units, translations),
  };
}

function* writePlainText(
  text: string,
  units: readonly TextSpan[],
  translations: readonly InlineText[],
): Generator<void, string> {
  let written = '';
  let at = 0;
  for (const [index, { start, end }] of units.entries()) {
    written += text.slice(at, start) + textOf(translations[index] ?? []);
    at = end;
    yield;
  }
  return written + text.slice(at);
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(LINE_BREAK)) {
    yield toLine(text, start, index);
    start = index + lineBreak.length;
  }
  yield toLine(text, start, text.length);
}

function toLine(text: string, start: number, end: number): Line {
  let opened = 0;
  for (const [brace] of text.slice(start, end).matchAll(BRACE)) opened += brace === '{' ? 1 : -1;
  return { start, end, opened };
}

/** How many lines are one: the first, or those that its braces go over. */
function countJoined(lines: readonly Line[]): number {
  let open = 0;
  for (const [index, { opened }] of lines.entries()) {
    open += opened;
    if (open <= 0) return index + 1;
  }
  return 1;
}

function* readHtml(html: string, most: number): Generator<void, TextUnits> {
  const { units, writeSteps } = yield* htmlUnitSteps(html, most);
  return {
    units: units.map(({ inline }) => inline),
    write: (translations) =>
      writeSteps(new Map(units.flatMap(({ id }, index) => (translations[index] ? [[id, translations[index]]] : [])))),
  };
}

function textOf(unit: InlineText): string {
  return unit.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
