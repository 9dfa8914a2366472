/** What a translation must have as its source has it, by its sort. */
const ITEMS = {
  tags: /<[^>]*>/g,
  addresses: /https?:\/\/[^\s<>"]*[^\s<>".,;]|www\.[^\s<>"]*[^\s<>".,;]|[\w.]+@[\w.]*\w/g,
  placeholders: /\$?\{+\w+\}+|%(?:\d+\$)?[sd]/g,
  numbers: /\d+(?:[.,:/]\d+)*/g,
} as const;
/** One of the sorts. */
export type Sort = keyof typeof ITEMS;
/** All sorts. */
export const SORTS = Object.keys(ITEMS) as Sort[];

/** The items of a text, each of one sort only: a number of an address is none by itself. */
export function itemsOf(text: string): Record<Sort, string[]> {
  let rest = text;
  const items: Record<Sort, string[]> = { tags: [], addresses: [], placeholders: [], numbers: [] };
  for (const sort of SORTS) {
    items[sort] = rest.match(ITEMS[sort]) ?? [];
    rest = rest.replaceAll(ITEMS[sort], ' ');
  }
  return items;
}

/** How many items of a source its translation has, as often as there. */
export function countKept(source: readonly string[], translation: readonly string[]): number {
  const left = [...translation];
  return source.filter((item) => {
    const index = left.indexOf(item);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  }).length;
}
