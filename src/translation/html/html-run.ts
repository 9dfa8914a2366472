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

/** Items of one step. */
const STEP = 1_000;
const LETTER = /\p{L}/u;
/** What HTML takes for white space; others, as the one that does not break, are characters. */
const SPACES = /[ \t\n\f\r]+/g;
const LEADING = /^[ \t\n\f\r]+/;
const NOT_SPACE = /[^ \t\n\f\r]/;

/**
 * Makes units of a run. A tag without its partner in the run ends a unit, as do two line breaks: what it means to what
 * follows must not be moved.
 */
export function* runUnitSteps(
  html: string,
  items: readonly RunItem[],
  isPreformatted: boolean,
): Generator<void, RunUnit[]> {
  const tags = items.flatMap((item, index) => (item.kind === 'start' || item.kind === 'end' ? [{ item, index }] : []));
  const partners = yield* pairTags(
    tags.map(({ item }) => ({ kind: item.kind, name: item.name })),
    true,
  );
  const partnerOf = new Map<number, number>();
  for (const [place, { index }] of tags.entries()) {
    const partner = tags[partners[place] ?? -1];
    if (partner) partnerOf.set(index, partner.index);
  }
  yield;
  const units: RunUnit[] = [];
  let start = 0;
  let depth = 0;
  for (const [index, item] of items.entries()) {
    if (index % STEP === 0) yield;
    const isPaired = partnerOf.has(index);
    if (item.kind === 'start' && isPaired) depth += 1;
    if (item.kind === 'end' && isPaired) depth -= 1;
    const isTag = item.kind === 'start' || item.kind === 'end';
    if (isTag ? isPaired : depth > 0 || !isSecondBreak(items, index)) continue;
    units.push(...(yield* toUnit(html, items, partnerOf, [start, index], isPreformatted)));
    start = index + 1;
    yield;
  }
  units.push(...(yield* toUnit(html, items, partnerOf, [start, items.length], isPreformatted)));
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

function* toUnit(
  html: string,
  items: readonly RunItem[],
  partnerOf: ReadonlyMap<number, number>,
  [from, to]: readonly [number, number],
  isPreformatted: boolean,
): Generator<void, RunUnit[]> {
  const [start, end] = trim(items, partnerOf, [from, to]);
  const [first, last] = [items[start], items[end - 1]];
  if (start >= end || !first || !last) return [];
  const { parts, marks } = yield* toParts(items, partnerOf, [start, end], isPreformatted);
  const inline = trimEnd(joinInlineTexts([parts]));
  if (!inline.some((part) => part.kind === 'text' && LETTER.test(part.text))) return [];
  const [head, tail] = [html.slice(first.start, first.end), html.slice(last.start, last.end)];
  return [
    {
      start: first.start + (first.kind === 'text' ? (LEADING.exec(head)?.[0].length ?? 0) : 0),
      end: last.end - (last.kind === 'text' ? tail.length - trimmedLength(tail) : 0),
      inline,
      marks,
      quotes: bareQuotes(html, items.slice(start, end)),
    },
  ];
}

/**
 * Double quotes are bare where the source has such, single ones everywhere, unless the source has the same as references:
 * whoever takes a text for the value of an attribute must not find its end in it.
 */
function bareQuotes(html: string, items: readonly RunItem[]): string[] {
  const count = { bare: { '"': 0, "'": 0 }, read: { '"': 0, "'": 0 } };
  for (const item of items) {
    if (item.kind !== 'text') continue;
    for (const quote of ['"', "'"] as const) {
      count.read[quote] += item.text.split(quote).length - 1;
      count.bare[quote] += html.slice(item.start, item.end).split(quote).length - 1;
    }
  }
  const isBare = (quote: '"' | "'"): boolean => count.read[quote] === count.bare[quote];
  return [...(isBare('"') && count.bare['"'] > 0 ? ['"'] : []), ...(isBare("'") ? ["'"] : [])];
}

/** Leaves out what is at the ends of a unit and has nothing to read, such as an icon, and pairs that hold all of it. */
function trim(
  items: readonly RunItem[],
  partnerOf: ReadonlyMap<number, number>,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  let read = 0;
  const readBefore = items.slice(from, to).map((item) => {
    const before = read;
    if (item.kind === 'text' || item.kind === 'single') read += isTrimmed(item) ? 0 : 1;
    return before;
  });
  const isEmpty = (open: number, close: number): boolean => readBefore[open - from] === readBefore[close - from];
  let [start, end] = [from, to];
  while (start < end) {
    const [ofFirst, ofLast] = [partnerOf.get(start), partnerOf.get(end - 1)];
    if (isTrimmed(items[start])) start += 1;
    else if (isTrimmed(items[end - 1])) end -= 1;
    else if (ofFirst !== undefined && isEmpty(start, ofFirst)) start = ofFirst + 1;
    else if (ofLast !== undefined && isEmpty(ofLast, end - 1)) end = ofLast;
    else if (ofFirst === end - 1) [start, end] = [start + 1, end - 1];
    else break;
  }
  return [start, end];
}

function isTrimmed(item: RunItem | undefined): boolean {
  return (item?.kind === 'single' && item.isTrimmed) || (item?.kind === 'text' && !NOT_SPACE.test(item.text));
}

function trimmedLength(text: string): number {
  let end = text.length;
  while (end > 0 && !NOT_SPACE.test(text.charAt(end - 1))) end -= 1;
  return end;
}

function* toParts(
  items: readonly RunItem[],
  partnerOf: ReadonlyMap<number, number>,
  [start, end]: readonly [number, number],
  isPreformatted: boolean,
): Generator<void, { parts: InlinePart[]; marks: Map<number, { open: TextSpan; close?: TextSpan }> }> {
  const parts: InlinePart[] = [];
  const marks = new Map<number, { open: TextSpan; close?: TextSpan }>();
  const numbers = new Map<number, number>();
  let isAfterSpace = true;
  for (let index = start; index < end; index += 1) {
    if (index % STEP === 0) yield;
    const item = items[index];
    if (!item) continue;
    if (item.kind === 'text') {
      const text: string = isPreformatted
        ? item.text.slice(index === start ? (LEADING.exec(item.text)?.[0].length ?? 0) : 0)
        : collapse(item.text, isAfterSpace);
      if (text !== '') isAfterSpace = text.endsWith(' ');
      parts.push({ kind: 'text', text });
    } else if (item.kind === 'end') {
      const mark = numbers.get(partnerOf.get(index) ?? -1) ?? 0;
      const open = marks.get(mark)?.open;
      if (open) marks.set(mark, { open, close: item });
      parts.push({ kind: 'close', mark });
    } else {
      const mark = marks.size + 1;
      marks.set(mark, { open: item });
      numbers.set(index, mark);
      parts.push({ kind: item.kind === 'start' ? 'open' : 'single', mark });
      if (item.kind === 'single' && item.space !== 'none') isAfterSpace = item.space === 'break';
    }
  }
  return { parts, marks };
}

function collapse(text: string, isAfterSpace: boolean): string {
  const collapsed = text.replaceAll(SPACES, ' ');
  return isAfterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
}

function trimEnd(inline: InlineText): InlineText {
  const last = inline.at(-1);
  return last?.kind === 'text'
    ? [...inline.slice(0, -1), { kind: 'text', text: last.text.slice(0, trimmedLength(last.text)) }]
    : inline;
}
