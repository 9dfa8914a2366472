import type { EntityManager } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { TranscriptionEventType } from './live-event.entity.js';

const ADD = `
  INSERT INTO live_events (recording_id, id, type, data)
  SELECT $1, last.id + added.number, added.event->>'type', added.event->'data'
  FROM (SELECT coalesce(max(id), 0) AS id FROM live_events WHERE recording_id = $1) last,
       json_array_elements($2::json) WITH ORDINALITY AS added(event, number)`;

/** What has happened. */
export interface NewLiveEvent {
  readonly type: TranscriptionEventType;
  readonly data: JsonObject;
}

/** Stores events behind those that are there. The row of the recording is locked: numbers have no gaps, and none twice. */
export async function addLiveEvents(
  tx: EntityManager,
  recordingId: string,
  events: readonly NewLiveEvent[],
): Promise<void> {
  if (events.length > 0) await tx.query(ADD, [recordingId, JSON.stringify(events)]);
}
