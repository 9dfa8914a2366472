/** What a cell holds: a text is never a formula, a date is a day as YYYY-MM-DD, from 1900-03-01 on. */
export type WorkbookCell = string | number | boolean | null | { readonly date: string };

/** A sheet with the heads of its columns. */
export interface WorkbookSheet {
  /** At most 31 characters, none of `[]/\:*?`; there once, whatever its case. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** The task of the child; its input are rows as lines of JSON. */
export interface WorkbookTask {
  readonly sheets: readonly WorkbookSheet[];
}

/** A row: the index of its sheet, then its cells. */
export type WorkbookRow = readonly [sheet: number, ...cells: WorkbookCell[]];
