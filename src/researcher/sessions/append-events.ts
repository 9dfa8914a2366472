import type { EntityManager } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { ResearchEventType } from './research-event.entity.js';

/** An event before it has an id. */
export interface NewEvent {
  readonly type: ResearchEventType;
  readonly data: JsonObject;
}

/** Whoever appends holds the row of the session until the transaction ends: ids have no gaps, and are seen in their order. */
const TAKE_IDS = `
  UPDATE research_sessions SET last_event_id = last_event_id + $2 WHERE id = $1 RETURNING last_event_id AS "lastId"`;
const INSERT = `
  INSERT INTO research_events (session_id, id, type, data)
  SELECT $1, $2 + position, e->>'type', e->'data'
  FROM json_array_elements($3::json) WITH ORDINALITY AS events (e, position)`;

/** Stores events behind those that a session has, in the transaction of what they tell of. */
export async function appendEvents(tx: EntityManager, sessionId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const [rows] = await tx.query<[{ lastId: number }[], number]>(TAKE_IDS, [sessionId, events.length]);
  const [session] = rows;
  if (!session) return;
  await tx.query(INSERT, [sessionId, session.lastId - events.length, JSON.stringify(events)]);
}
