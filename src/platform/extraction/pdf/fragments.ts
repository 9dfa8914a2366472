import type { TextItem } from './text-items.js';

/** A stretch of a fragment's text without wide gaps, and its own place. */
export interface FragmentPart {
  /** In the fragment's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What stands together on one line: of a table a cell, of a column a line. */
export interface Fragment {
  text: string;
  readonly left: number;
  readonly top: number;
  right: number;
  bottom: number;
  readonly baseline: number;
  /** Of its longest item: a mark before it, or an initial, may be of another size. */
  readonly size: number;
  /** All of its text but blanks, in its order. */
  readonly parts: readonly FragmentPart[];
}

/** How far baselines of one line may be apart, in parts of the font's size. */
const SAME_LINE = 0.15;

/** A wider gap, in parts of the font's size, ends a cell; words of one line are not so far apart. */
export const CELL_GAP = 1.2;

/** A wider gap is a blank. */
const BLANK_GAP = 0.15;

/** Joins items to fragments. */
export function joinItems(items: readonly TextItem[]): Fragment[] {
  const sorted = items.toSorted((one, other) => one.baseline - other.baseline);
  const fragments: Fragment[] = [];
  for (let start = 0; start < sorted.length;) {
    const { baseline, size } = sorted[start] as TextItem;
    let end = start + 1;
    while (end < sorted.length && (sorted[end] as TextItem).baseline - baseline <= size * SAME_LINE) end += 1;
    fragments.push(...joinLine(sorted.slice(start, end)));
    start = end;
  }
  return fragments;
}

function joinLine(items: readonly TextItem[]): Fragment[] {
  const fragments: { readonly items: TextItem[]; right: number }[] = [];
  for (const item of items.toSorted((one, other) => one.left - other.left)) {
    const last = fragments.at(-1);
    if (last && item.left - last.right <= CELL_GAP * item.size) {
      last.items.push(item);
      last.right = Math.max(last.right, item.right);
    } else fragments.push({ items: [item], right: item.right });
  }
  return fragments.map(({ items: parts }) => toFragment(parts));
}

function toFragment(items: readonly TextItem[]): Fragment {
  const isRightToLeft = items.filter((item) => item.isRightToLeft).length > items.length / 2;
  const parts: { -readonly [Key in keyof FragmentPart]: number }[] = [];
  let text = '';
  let before: TextItem | undefined;
  for (const item of isRightToLeft ? items.toReversed() : items) {
    const isApart = before !== undefined && isBlankBetween(before, item, isRightToLeft);
    if (isApart) text += ' ';
    const words = item.text.replace(/\s+/g, ' ').trim();
    const last = isApart ? undefined : parts.at(-1);
    if (last) extend(last, item, words.length);
    else parts.push({ start: text.length, end: text.length + words.length, ...placeOf(item) });
    text += words;
    before = item;
  }
  const main = items.reduce((most, item) => (item.text.length > most.text.length ? item : most));
  return {
    text,
    left: Math.min(...items.map(({ left }) => left)),
    top: Math.min(...items.map(({ top }) => top)),
    right: Math.max(...items.map(({ right }) => right)),
    bottom: Math.max(...items.map(({ bottom }) => bottom)),
    baseline: main.baseline,
    size: main.size,
    parts,
  };
}

function isBlankBetween(before: TextItem, item: TextItem, isRightToLeft: boolean): boolean {
  const gap = isRightToLeft ? before.left - item.right : item.left - before.right;
  return gap > BLANK_GAP * item.size || /\s$/.test(before.text) || /^\s/.test(item.text);
}

function placeOf({ left, top, right, bottom }: TextItem): Pick<TextItem, 'left' | 'top' | 'right' | 'bottom'> {
  return { left, top, right, bottom };
}

function extend(part: { -readonly [Key in keyof FragmentPart]: number }, item: TextItem, added: number): void {
  part.end += added;
  part.left = Math.min(part.left, item.left);
  part.top = Math.min(part.top, item.top);
  part.right = Math.max(part.right, item.right);
  part.bottom = Math.max(part.bottom, item.bottom);
}
