import type { DataSource } from 'typeorm';
import type { SealedColumn } from './sealed-column.js';
import type { SecretBox } from './secret-box.js';

/** Rows that are read at once; each is written by a statement of its own, so nobody waits for long. */
const BATCH_ROWS = 100;
/** How often a column is gone through at most, while somebody still seals with the previous key. */
const PASSES = 10;

/** What was found in a column. */
export interface SealedCounts {
  readonly column: SealedColumn;
  /** Sealed values, those that do not open included. */
  readonly values: number;
  /** Values that were sealed anew. */
  readonly resealed: number;
  /** Values that only the previous key opened, when the column was gone through last. */
  readonly stale: number;
  /** The keys of the rows whose values open with neither key. */
  readonly unopened: readonly string[];
}

interface SealedRow {
  readonly id: string;
  /** Base64 where it lies in JSON. */
  readonly value: Buffer | string;
}

/** What a resealer works on. */
export interface ResealerParts {
  readonly dataSource: DataSource;
  readonly secretBox: SecretBox;
  /** All that the box may have sealed. */
  readonly columns: readonly SealedColumn[];
}

/**
 * Seals with the current key whatever the previous one has sealed. Servers may go on meanwhile, as long as all of them
 * know both keys; it may be broken off and begun again at any time.
 */
export class Resealer {
  constructor(private readonly parts: ResealerParts) {}

  /** Counts what there is, and changes nothing. */
  count(): Promise<SealedCounts[]> {
    return Promise.all(this.parts.columns.map((column) => this.goThrough(column, false)));
  }

  /**
   * Seals anew, column by column. The columns that are named first come last: they have what every start needs, so a
   * start without the previous key is refused until everything is done.
   */
  async *reseal(): AsyncGenerator<SealedCounts, void, undefined> {
    for (const column of this.parts.columns.toReversed()) yield await this.resealColumn(column);
  }

  /** Ends when a pass finds nothing to do: rows may be made, changed or moved while one is under way. */
  private async resealColumn(column: SealedColumn): Promise<SealedCounts> {
    let resealed = 0;
    for (let passesLeft = PASSES; ; passesLeft -= 1) {
      const counts = await this.goThrough(column, true);
      resealed += counts.resealed;
      if (counts.stale === 0 || passesLeft === 1) return { ...counts, resealed };
    }
  }

  private async goThrough(column: SealedColumn, isWriting: boolean): Promise<SealedCounts> {
    const { secretBox } = this.parts;
    let [values, resealed, stale] = [0, 0, 0];
    const unopened: string[] = [];
    const renew = async (row: SealedRow): Promise<void> => {
      values += 1;
      const context = column.context === 'key' ? row.id : '';
      let anew: Buffer | undefined;
      try {
        anew = secretBox.reseal(column.purpose, toBytes(row.value), context);
      } catch {
        unopened.push(row.id);
      }
      if (!anew) return;
      stale += 1;
      if (isWriting && (await this.write(column, row, anew))) resealed += 1;
    };
    let rows: SealedRow[] = [];
    do {
      rows = await this.read(column, rows.at(-1)?.id);
      await Promise.all(rows.map(renew));
    } while (rows.length === BATCH_ROWS);
    return { column, values, resealed, stale, unopened };
  }

  /** The next rows that have a value, in the order of their keys. */
  private async read(column: SealedColumn, after: string | undefined): Promise<SealedRow[]> {
    const { table, key, where } = column;
    const { dataSource } = this.parts;
    // Tables that are made later than those of the migrations may not be there yet.
    const [found] = await dataSource.query<{ there: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS there', [
      table,
    ]);
    if (!found?.there) return [];
    const conditions = [`${valueOf(column)} IS NOT NULL`, ...(where ? [where] : []), ...(after ? [`${key} > $1`] : [])];
    return dataSource.query<SealedRow[]>(
      `SELECT ${key}::text AS id, ${valueOf(column)} AS value FROM ${table}
       WHERE ${conditions.join(' AND ')} ORDER BY ${key} LIMIT ${BATCH_ROWS}`,
      after ? [after] : [],
    );
  }

  /** @returns whether the row had still the value that was read */
  private async write(column: SealedColumn, row: SealedRow, anew: Buffer): Promise<boolean> {
    const { table, key, path } = column;
    const assigned = path ? `jsonb_set(${column.column}, '{${path.join(',')}}', to_jsonb($1::text))` : '$1';
    const [, changed] = await this.parts.dataSource.query<[unknown, number]>(
      `UPDATE ${table} SET ${column.column} = ${assigned} WHERE ${key} = $2 AND ${valueOf(column)} = $3`,
      [path ? anew.toString('base64') : anew, row.id, row.value],
    );
    return changed > 0;
  }
}

function valueOf({ column, path }: SealedColumn): string {
  return path ? `${column} #>> '{${path.join(',')}}'` : column;
}

function toBytes(value: Buffer | string): Buffer {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}
