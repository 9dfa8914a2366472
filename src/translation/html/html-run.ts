import { runSteps } from '../../platform/async/run-steps.js';
import type { InlinePart, InlineText } from '../units/inline-text.js';
import { joinInlineTexts } from '../units/join-inline-texts.js';
import { pairTags } from '../units/pair-tags.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/** A piece of a block's inline run, and its place in the document. */
export type RunItem = TextSpan &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'start' | 'end'; readonly name: string }
    /** `space` is a line break or nothing visible; what is `trimmed` says nothing about the text beside it. */
    | { readonly kind: 'single'; readonly space: 'break' | 'none' | 'visible'; readonly isTrimmed: boolean }
  );

/** The text of a run, and what its marks stand for in the document. */
export interface RunUnit extends TextSpan {
  readonly inline: InlineText;
  /** The places of a mark's tags, by its number. */
  readonly marks: ReadonlyMap<number, { readonly open: TextSpan; readonly close?: TextSpan }>;
  /** The quotes that its text may have as they are; others are references. */
  readonly quotes: readonly string[];
}

/** Where a tag has no partner in its run, and what is no tag. */
const NO_PARTNER = -1;
const LETTER = /\p{L}/u;
/** What HTML takes for white space; others, as the one that does not break, are characters. */
const SPACES = /[ \t\n\f\r]+/g;
const UNCOLLAPSED = /[\t\n\f\r]| {2}/;
const LEADING = /^[ \t\n\f\r]+/;
const NOT_SPACE = /[^ \t\n\f\r]/;

/**
 * Makes units of a run. Two line breaks end a unit. A tag without its partner in the run is a barrier in it: what it means
 * to what follows must not be moved.
 */
export function toRunUnits(html: string, items: readonly RunItem[], isPreformatted: boolean): RunUnit[] {
  const tags = items.flatMap((item, index) => (item.kind === 'start' || item.kind === 'end' ? [{ item, index }] : []));
  const partners = runSteps(
    pairTags(
      tags.map(({ item }) => item),
      true,
    ),
  );
  const partnerOf = new Int32Array(items.length).fill(NO_PARTNER);
  for (const [place, { index }] of tags.entries()) partnerOf[index] = tags[partners[place] ?? -1]?.index ?? NO_PARTNER;
  const units: RunUnit[] = [];
  const addUnit = (from: number, to: number): void => {
    const unit = toUnit(html, items, partnerOf, [from, to], isPreformatted);
    if (unit) units.push(unit);
  };
  let start = 0;
  let depth = 0;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as RunItem;
    const isPaired = partnerOf[index] !== NO_PARTNER;
    if (item.kind === 'start' && isPaired) depth += 1;
    if (item.kind === 'end' && isPaired) depth -= 1;
    if (depth > 0 || !isSecondBreak(items, index)) continue;
    addUnit(start, index);
    start = index + 1;
  }
  addUnit(start, items.length);
  return units;
}

function isSecondBreak(items: readonly RunItem[], index: number): boolean {
  if (!isBreak(items[index])) return false;
  const before = items[index - 1];
  return isBreak(before) || (before?.kind === 'text' && !NOT_SPACE.test(before.text) && isBreak(items[index - 2]));
}

function isBreak(item: RunItem | undefined): boolean {
  return item?.kind === 'single' && item.space === 'break';
}

function toUnit(
  html: string,
  items: readonly RunItem[],
  partnerOf: Int32Array,
  [from, to]: readonly [number, number],
  isPreformatted: boolean,
): RunUnit | undefined {
  const [start, end] = trim(items, partnerOf, [from, to]);
  const [first, last] = [items[start], items[end - 1]];
  if (start >= end || !first || !last) return undefined;
  const { parts, marks } = toParts(items, partnerOf, [start, end], isPreformatted);
  const inline = trimEnd(joinInlineTexts([parts]));
  if (!inline.some((part) => part.kind === 'text' && LETTER.test(part.text))) return undefined;
  const [head, tail] = [html.slice(first.start, first.end), html.slice(last.start, last.end)];
  return {
    start: first.start + (first.kind === 'text' ? (LEADING.exec(head)?.[0].length ?? 0) : 0),
    end: last.end - (last.kind === 'text' ? tail.length - trimmedLength(tail) : 0),
    inline,
    marks,
    quotes: bareQuotes(html, items.slice(start, end)),
  };
}

/**
 * Double quotes are bare where the source has such, single ones everywhere, unless the source has the same as references:
 * whoever takes a text for the value of an attribute must not find its end in it.
 */
function bareQuotes(html: string, items: readonly RunItem[]): string[] {
  const count = { bare: { '"': 0, "'": 0 }, read: { '"': 0, "'": 0 } };
  for (const item of items) {
    if (item.kind !== 'text') continue;
    for (const quote of quotesIn(item.text)) count.read[quote] += 1;
    for (const quote of quotesIn(html.slice(item.start, item.end))) count.bare[quote] += 1;
  }
  const isBare = (quote: '"' | "'"): boolean => count.read[quote] === count.bare[quote];
  return [...(isBare('"') && count.bare['"'] > 0 ? ['"'] : []), ...(isBare("'") ? ["'"] : [])];
}

function quotesIn(text: string): readonly ('"' | "'")[] {
  return (text.match(/["']/g) ?? []) as ('"' | "'")[];
}

/** Leaves out what is at the ends of a unit and has nothing to read, such as an icon, and pairs that hold all of it. */
function trim(
  items: readonly RunItem[],
  partnerOf: Int32Array,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  const readBefore = new Int32Array(to - from);
  for (let at = from, read = 0; at < to; at += 1) {
    const item = items[at];
    readBefore[at - from] = read;
    if ((item?.kind === 'text' || item?.kind === 'single') && !isTrimmed(item)) read += 1;
  }
  const isEmpty = (open: number, close: number): boolean => readBefore[open - from] === readBefore[close - from];
  let [start, end] = [from, to];
  while (start < end) {
    const [ofFirst = NO_PARTNER, ofLast = NO_PARTNER] = [partnerOf[start], partnerOf[end - 1]];
    if (isTrimmed(items[start]) || isUnpaired(items[start], ofFirst)) start += 1;
    else if (isTrimmed(items[end - 1]) || isUnpaired(items[end - 1], ofLast)) end -= 1;
    else if (ofFirst !== NO_PARTNER && isEmpty(start, ofFirst)) start = ofFirst + 1;
    else if (ofLast !== NO_PARTNER && isEmpty(ofLast, end - 1)) end = ofLast;
    else if (ofFirst === end - 1) [start, end] = [start + 1, end - 1];
    else break;
  }
  return [start, end];
}

function isUnpaired(item: RunItem | undefined, partner: number): boolean {
  return (item?.kind === 'start' || item?.kind === 'end') && partner === NO_PARTNER;
}

function isTrimmed(item: RunItem | undefined): boolean {
  return (item?.kind === 'single' && item.isTrimmed) || (item?.kind === 'text' && !NOT_SPACE.test(item.text));
}

function trimmedLength(text: string): number {
  let end = text.length;
  while (end > 0 && !NOT_SPACE.test(text.charAt(end - 1))) end -= 1;
  return end;
}

function toParts(
  items: readonly RunItem[],
  partnerOf: Int32Array,
  [start, end]: readonly [number, number],
  isPreformatted: boolean,
): { parts: InlinePart[]; marks: Map<number, { open: TextSpan; close?: TextSpan }> } {
  const parts: InlinePart[] = [];
  const marks = new Map<number, { open: TextSpan; close?: TextSpan }>();
  /** The marks of start tags, by their places. */
  const numbers = new Int32Array(end - start);
  let isAfterSpace = true;
  for (let index = start; index < end; index += 1) {
    const item = items[index];
    if (!item) continue;
    if (item.kind === 'text') {
      const text: string = isPreformatted
        ? item.text.slice(index === start ? (LEADING.exec(item.text)?.[0].length ?? 0) : 0)
        : collapse(item.text, isAfterSpace);
      if (text !== '') isAfterSpace = text.endsWith(' ');
      parts.push({ kind: 'text', text });
    } else if (isUnpaired(item, partnerOf[index] ?? NO_PARTNER)) {
      const mark = marks.size + 1;
      marks.set(mark, { open: item });
      parts.push({ kind: 'single', mark, reads: '', isBarrier: true });
    } else if (item.kind === 'end') {
      const mark = numbers[(partnerOf[index] ?? NO_PARTNER) - start] ?? 0;
      const open = marks.get(mark)?.open;
      if (open) marks.set(mark, { open, close: item });
      parts.push({ kind: 'close', mark });
    } else {
      const mark = marks.size + 1;
      marks.set(mark, { open: item });
      numbers[index - start] = mark;
      if (item.kind !== 'single') parts.push({ kind: 'open', mark });
      else parts.push({ kind: 'single', mark, ...(item.space === 'none' && { reads: '' }) });
      if (item.kind === 'single' && item.space !== 'none') isAfterSpace = item.space === 'break';
    }
  }
  return { parts, marks };
}

function collapse(text: string, isAfterSpace: boolean): string {
  const collapsed = UNCOLLAPSED.test(text) ? text.replaceAll(SPACES, ' ') : text;
  return isAfterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
}

function trimEnd(inline: InlineText): InlineText {
  const last = inline.at(-1);
  return last?.kind === 'text'
    ? [...inline.slice(0, -1), { kind: 'text', text: last.text.slice(0, trimmedLength(last.text)) }]
    : inline;
}
