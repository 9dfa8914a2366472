import type { Fragment } from './fragments.js';

/** A heading's letters are larger than those of the text by this factor, at least; and of the upper levels by these. */
const HEADING = 1.15;
const LEVELS = [1.7, 1.35] as const;

/** How many UTF-16 units of a file's pages so far stand in which size, to tell headings from text. */
export class FontSizes {
  private readonly characters = new Map<number, number>();
  private body = 0;

  /** Adds a page. */
  add(fragments: readonly Fragment[]): void {
    for (const { size, text } of fragments) {
      // In half points, of which there are not too many.
      const rounded = Math.min(1_000, Math.round(size * 2) / 2);
      this.characters.set(rounded, (this.characters.get(rounded) ?? 0) + text.length);
    }
    const most = Math.max(0, ...this.characters.values());
    this.body = [...this.characters].find(([, count]) => count === most)?.[0] ?? 0;
  }

  /** The level of a heading in letters of this size, 1–3; undefined: it is text. */
  headingLevel(size: number): number | undefined {
    const factor = size / this.body;
    if (!(factor >= HEADING)) return undefined;
    const level = LEVELS.findIndex((least) => factor >= least);
    return level < 0 ? LEVELS.length + 1 : level + 1;
  }
}
