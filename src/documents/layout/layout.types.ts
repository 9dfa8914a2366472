import type { ExtractedPage, TextBox } from '../../platform/extraction/extraction.types.js';

/** Left, top, right, bottom of a page as it is shown; 0–1 from its top left. */
export type Box = TextBox['box'];

/**
 * Where something stands for reading: right and down grow, a unit is the page's height. Lines of a scan that slope are
 * level here. Of a text without boxes columns are far apart and lines follow one another, in units of its letters.
 */
export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A word, or what stands for one: between blanks, of one line. */
export interface LayoutWord extends Extent {
  /** Its place in the page's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Where its letters stand, and about how large they are, in the unit of its extent. */
  readonly baseline: number;
  readonly size: number;
  /** Of a page with boxes. */
  readonly box?: Box;
  /** 0–1, of a word that was recognized. */
  readonly confidence?: number;
}

/** Words side by side without a wide gap; what stands between them in the page's text is blank. */
export interface LayoutCell extends Extent {
  /** Its place in the page's text: from its first to its last word. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly words: readonly LayoutWord[];
}

/** Cells side by side, from left to right. */
export interface LayoutLine {
  readonly cells: readonly LayoutCell[];
  readonly top: number;
  readonly bottom: number;
  /** About how large its letters are. */
  readonly size: number;
}

/** A page as it is read: lines from top to bottom, whatever the order of its text. */
export interface PageLayout {
  /** From 1; undefined: the format has no pages. */
  readonly number?: number;
  readonly origin: ExtractedPage['origin'];
  /** As it was extracted; places refer to it. */
  readonly text: string;
  readonly blocks: ExtractedPage['blocks'];
  readonly lines: readonly LayoutLine[];
  /** Whether its words have boxes. */
  readonly hasBoxes: boolean;
}
