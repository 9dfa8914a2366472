/** Rows that are committed late are not missed as long as their transaction took no longer than this. */
const OVERLAP_SECONDS = 30;

/** What a read of a table tells. */
export interface TableRead<Row> {
  readonly rows: readonly Row[];
  /** The keys of all rows that there are; left out where no row is ever taken away from under this process. */
  readonly keys?: ReadonlySet<string>;
}

/** How the rows of one table are read, and what they mean. */
export interface TableSource<Row> {
  /** Unique among the rows. */
  keyOf(row: Row): string;
  /**
   * Reads rows. Some may have been read before.
   * @param changedWithinSeconds only rows that were changed so lately are needed; undefined: all are
   * @param known the rows that were read before, by their keys
   */
  read(changedWithinSeconds: number | undefined, known: ReadonlyMap<string, Row>): Promise<TableRead<Row>>;
  /** Whether a row replaces the known one of its key: reads overlap, and one may be older than what was put since. */
  supersedes(row: Row, known: Row): boolean;
  /** Called for every row that is new, or has replaced another. */
  changed?(row: Row): void;
  /** Called for every row that is gone. */
  removed?(row: Row): void;
}

/**
 * A small table that every replica keeps in memory, so that asking costs nothing. Each reads what the others have
 * written as often as it calls `refresh`, and puts in at once what it has written itself.
 */
export class PolledTable<Row> {
  private readonly known = new Map<string, Row>();
  /** When the last read began that did not fail. */
  private readAt: number | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly source: TableSource<Row>) {}

  /** The rows by their keys. */
  get rows(): ReadonlyMap<string, Row> {
    return this.known;
  }

  get(key: string): Row | undefined {
    return this.known.get(key);
  }

  /**
   * Reads all rows the first time, and then what has changed since; one read after another. What was committed
   * before the call is in the table when it resolves.
   */
  refresh(): Promise<void> {
    const reading = this.reading.then(() => this.read());
    this.reading = reading.catch(() => undefined);
    return reading;
  }

  /** Takes in a row that was read or written, unless a later state of it is known. */
  put(row: Row): void {
    const key = this.source.keyOf(row);
    const known = this.known.get(key);
    if (known !== undefined && !this.source.supersedes(row, known)) return;
    this.known.set(key, row);
    this.source.changed?.(row);
  }

  /** Forgets a row, as when it no longer matters. */
  delete(key: string): void {
    const row = this.known.get(key);
    if (this.known.delete(key)) this.source.removed?.(row as Row);
  }

  private async read(): Promise<void> {
    const startedAt = performance.now();
    const within = this.readAt === undefined ? undefined : OVERLAP_SECONDS + (startedAt - this.readAt) / 1_000;
    const { rows, keys } = await this.source.read(within, this.known);
    for (const key of keys ? this.known.keys() : []) if (!keys?.has(key)) this.delete(key);
    for (const row of rows) this.put(row);
    this.readAt = startedAt;
  }
}
