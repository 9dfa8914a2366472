import type { TextItem } from './text-items.js';

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
  for (let start = 0; start < sorted.length; ) {
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
  const [first, ...rest] = (isRightToLeft ? items.toReversed() : items) as [TextItem, ...TextItem[]];
  let text = first.text;
  let before = first;
  for (const item of rest) {
    const gap = isRightToLeft ? before.left - item.right : item.left - before.right;
    const isJoined = gap <= BLANK_GAP * item.size || /\s$/.test(before.text) || /^\s/.test(item.text);
    text += isJoined ? item.text : ` ${item.text}`;
    before = item;
  }
  const main = items.reduce((most, item) => (item.text.length > most.text.length ? item : most));
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    left: Math.min(...items.map(({ left }) => left)),
    top: Math.min(...items.map(({ top }) => top)),
    right: Math.max(...items.map(({ right }) => right)),
    bottom: Math.max(...items.map(({ bottom }) => bottom)),
    baseline: main.baseline,
    size: main.size,
  };
}
