import { runSteps } from '../../platform/async/run-steps.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import type { InlineText } from '../units/inline-text.js';
import { hasSameMarks, isSameInlineText } from '../units/same-marks.js';
import { escapeText, writeValue } from './html-attributes.js';
import type { AttributeValue } from './html-attributes.js';
import { HtmlReader } from './html-reader.js';
import type { RunUnit } from './html-run.js';

/** A text of an HTML document that is translated as a whole: the inline run of a block, or an attribute's value. */
export interface HtmlUnit {
  /** Its place in the document's order, from 0. */
  readonly id: number;
  readonly inline: InlineText;
  /** The attribute that it is the value of, in lower case; undefined for a block's text. */
  readonly attribute?: string;
}

/** The texts of an HTML document or fragment. */
export interface HtmlUnits {
  readonly units: readonly HtmlUnit[];
  /**
   * Writes the document with translations in the place of the texts; all other characters are as they were. Text is
   * escaped, so that no translation adds markup.
   * @param translations by the ids of the units; a unit without one, or with its own text, stays as it is
   * @throws RangeError where a translation does not have each mark of its unit once, nested as it was
   */
  write(translations: ReadonlyMap<number, InlineText>): string;
  /** The same in steps. */
  writeSteps(translations: ReadonlyMap<number, InlineText>): Generator<void, string>;
}

/** Parts of a unit that are written in one step. */
const STEP = 1_000;

/** A text in the place of another. */
interface Replacement extends TextSpan {
  readonly text: string;
}

/**
 * Reads the units of HTML, in time in proportion to its length, however deep or malformed it is. Untouched are `code`,
 * `pre`, scripts, styles, comments, SVG, MathML, what only browsers without scripts or frames show, and what says
 * `translate="no"` or has the class `notranslate`.
 */
export function readHtmlUnits(html: string): HtmlUnits {
  return runSteps(htmlUnitSteps(html));
}

/**
 * Reads as `readHtmlUnits` does, in steps, so that others can have their turn.
 * @param most where there are more units than that, the rest of the document is not read
 */
export function* htmlUnitSteps(html: string, most = Number.POSITIVE_INFINITY): Generator<void, HtmlUnits> {
  const reader = new HtmlReader(html);
  yield* reader.read(most);
  const found = [...reader.runs, ...reader.attributes].sort((a, b) => a.start - b.start);
  const units = found.map((unit, id): HtmlUnit => {
    if ('inline' in unit) return { id, inline: unit.inline };
    return { id, inline: [{ kind: 'text', text: unit.value }], attribute: unit.name };
  });
  const steps = (translations: ReadonlyMap<number, InlineText>): Generator<void, string> =>
    writeSteps(html, units, found, translations);
  return { units, write: (translations) => runSteps(steps(translations)), writeSteps: steps };
}

function* writeSteps(
  html: string,
  units: readonly HtmlUnit[],
  found: readonly (RunUnit | AttributeValue)[],
  translations: ReadonlyMap<number, InlineText>,
): Generator<void, string> {
  const attributes: Replacement[] = [];
  const runs: { unit: RunUnit; inline: InlineText }[] = [];
  for (const [id, unit] of found.entries()) {
    yield;
    const [source, translation] = [units[id]?.inline, translations.get(id)];
    if (!source || !translation || isSameInlineText(source, translation)) continue;
    if (!hasSameMarks(source, translation))
      throw new RangeError(`The marks of unit ${id} are not those of its source.`);
    if ('inline' in unit) runs.push({ unit, inline: translation });
    else attributes.push({ start: unit.start, end: unit.end, text: writeValue(textOf(translation), unit.quote) });
  }
  const copy = (span: TextSpan): string => copyWith(html, attributes, span);
  let written = '';
  let end = 0;
  for (const { unit, inline } of runs) {
    yield;
    written += copy({ start: end, end: unit.start });
    for (const [index, part] of inline.entries()) {
      written += part.kind === 'text' ? escapeText(part.text, unit.quotes) : copyMark(unit, part, copy);
      if (index % STEP === STEP - 1) yield;
    }
    end = unit.end;
  }
  return written + copy({ start: end, end: html.length });
}

function copyMark(
  { marks }: RunUnit,
  part: Exclude<InlineText[number], { kind: 'text' }>,
  copy: (span: TextSpan) => string,
): string {
  const mark = marks.get(part.mark);
  const span = part.kind === 'close' ? mark?.close : mark?.open;
  return span ? copy(span) : '';
}

function textOf(inline: InlineText): string {
  return inline.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** A part of the document with its attributes translated. */
function copyWith(html: string, replacements: readonly Replacement[], { start, end }: TextSpan): string {
  let copied = '';
  let at = start;
  for (let index = firstFrom(replacements, start); index < replacements.length; index += 1) {
    const replacement = replacements[index];
    if (!replacement || replacement.start >= end) break;
    copied += html.slice(at, replacement.start) + replacement.text;
    at = replacement.end;
  }
  return copied + html.slice(at, end);
}

function firstFrom(replacements: readonly Replacement[], start: number): number {
  let [low, high] = [0, replacements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replacements[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
