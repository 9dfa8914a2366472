import type { DataSource } from 'typeorm';
import { BATCH_LIMITS, toBatch } from './event-batch.js';
import type { EventBatch, StoredEvent } from './event-batch.js';

/** Where the events of all subjects of a kind are: a table with `id`, `type` and `data`. */
export interface EventTable {
  readonly table: string;
  /** Of the subject's id. */
  readonly column: string;
}

/** Names are those of the code, and never anybody's words. */
function readStatement({ table, column }: EventTable): string {
  return `
    SELECT id, type, data FROM (
      SELECT id, type, data, sum(octet_length(data)) OVER (ORDER BY id) - octet_length(data) AS before FROM (
        SELECT id, type, data::text AS data FROM ${table} WHERE ${column} = $1 AND id > $2
        ORDER BY id LIMIT ${BATCH_LIMITS.events}) page) measured
    WHERE before < ${BATCH_LIMITS.bytes} ORDER BY id`;
}

/** Reads events from the database. Those who want the same at the same time read it once. */
export class EventPages {
  private readonly reading = new Map<string, Promise<EventBatch | undefined>>();

  private readonly statement: string;

  constructor(
    private readonly dataSource: DataSource,
    table: EventTable,
  ) {
    this.statement = readStatement(table);
  }

  /** The events that follow one, 500 and 64 KiB at most, one at least; undefined where there are none. */
  after(subjectId: string, id: number): Promise<EventBatch | undefined> {
    const key = `${subjectId} ${id}`;
    const known = this.reading.get(key);
    if (known) return known;
    const page = this.dataSource
      .query<StoredEvent[]>(this.statement, [subjectId, id])
      .then(toBatch)
      .finally(() => this.reading.delete(key));
    this.reading.set(key, page);
    return page;
  }
}
