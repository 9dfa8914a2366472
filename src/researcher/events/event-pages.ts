import type { DataSource } from 'typeorm';
import { BATCH_LIMITS, toBatch } from './event-batch.js';
import type { EventBatch, StoredEvent } from './event-batch.js';

const READ = `
  SELECT id, type, data FROM (
    SELECT id, type, data, sum(octet_length(data)) OVER (ORDER BY id) - octet_length(data) AS before FROM (
      SELECT id, type, data::text AS data FROM research_events WHERE session_id = $1 AND id > $2
      ORDER BY id LIMIT ${BATCH_LIMITS.events}) page) measured
  WHERE before < ${BATCH_LIMITS.bytes} ORDER BY id`;

/** Reads events from the database. Those who want the same at the same time read it once. */
export class EventPages {
  private readonly reading = new Map<string, Promise<EventBatch | undefined>>();

  constructor(private readonly dataSource: DataSource) {}

  /** The events that follow one, 500 and 64 KiB at most, one at least; undefined where there are none. */
  after(sessionId: string, id: number): Promise<EventBatch | undefined> {
    const key = `${sessionId} ${id}`;
    const known = this.reading.get(key);
    if (known) return known;
    const page = this.dataSource
      .query<StoredEvent[]>(READ, [sessionId, id])
      .then(toBatch)
      .finally(() => this.reading.delete(key));
    this.reading.set(key, page);
    return page;
  }
}
