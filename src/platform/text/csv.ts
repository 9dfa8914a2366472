import { stringify } from 'csv-stringify/sync';

/** What may stand in a cell; nothing where it has no value. */
export type CsvCell = string | number | null | undefined;

/**
 * Rows as comma separated values (RFC 4180), each with a line end. Texts that programs could take for formulas begin with an
 * apostrophe; numbers do not.
 */
export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map(guarded)),
    { escape_formulas: true },
  );
}

/** The library leaves one beginning alone that programs could take for that of a formula. */
function guarded(cell: CsvCell): CsvCell {
  return typeof cell === 'string' && cell.startsWith('\n') ? `'${cell}` : cell;
}
