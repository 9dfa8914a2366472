import type { Place } from '../candidates/candidate.js';
import type { FoundAmount } from '../parsers/amounts.js';

/** One cell of a row, with all that is needed when its page has gone. */
export interface RowCell {
  readonly left: number;
  readonly right: number;
  readonly text: string;
  /** Where its text begins in the page's. */
  readonly start: number;
  /** Of its number, where it is one, else of its text. */
  readonly place: Place;
  /** The number that it is, where it is little else. */
  readonly amount?: FoundAmount;
}

/** A line that may be a row of a table. */
export interface RowLine {
  readonly cells: readonly RowCell[];
  readonly size: number;
}

/** A part of a line that names a column. */
export interface HeaderItem {
  readonly left: number;
  readonly right: number;
  /** The field among the list's columns; undefined: it names something else. */
  readonly column?: number;
  readonly quality: number;
}

/** Rows under one header, over pages, or without one. */
export interface RowBlock {
  readonly header?: readonly HeaderItem[];
  readonly rows: RowLine[];
}
