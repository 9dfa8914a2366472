import { stringify } from 'csv-stringify/sync';

/** What may stand in a cell; nothing where it has no value. */
export type CsvCell = string | number | null | undefined;

/** The one beginning of what programs could take for formulas that the library leaves alone. */
const LINE_BREAK = /^\n/;

/**
 * Rows as comma separated values (RFC 4180), each with a line end. Texts that programs could take for formulas begin with an
 * apostrophe; numbers do not.
 */
export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  const guarded = rows.map((row) => row.map((cell) => (LINE_BREAK.test(String(cell)) ? `'${cell}` : cell)));
  return stringify(guarded, { escape_formulas: true });
}
