import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest, NotFound } from '../../errors.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { StoredEvent } from '../../platform/events/event-batch.js';
import { EventFeeds } from '../../platform/events/event-feeds.js';
import { EventReader } from '../../platform/events/event-reader.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { findOwn } from '../recordings/recording-access.js';
import type { TranscriptionEventType } from './live-event.entity.js';
import type { TranscriptionEvent } from './live-event.types.js';

/** What nobody has ended by then is over: its session was cut off for good. */
const STATES = `
  SELECT r.id, r.status <> 'created' AS "isOver", coalesce(max(e.id), 0) AS "lastEventId"
  FROM recordings r LEFT JOIN live_events e ON e.recording_id = r.id
  WHERE r.id = ANY($1) AND r.deleted_at IS NULL GROUP BY r.id, r.status`;
/** One after another, also where other replicas add: the row of the recording is locked. */
const LOCK = 'SELECT FROM recordings WHERE id = $1 AND deleted_at IS NULL FOR UPDATE';
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

/** The numbered events of live transcriptions, for any number of viewers, on any replica, also later. */
export class LiveEvents {
  /** What is read of recordings in this process. */
  readonly feeds: EventFeeds;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifier: Pick<ChangeNotifier, 'changed' | 'listen'>,
  ) {
    this.feeds = new EventFeeds({
      dataSource,
      events: { table: 'live_events', column: 'recording_id' },
      states: STATES,
      listen: (id, listener) => notifier.listen(id, listener),
      gone: () => new NotFound('The recording does not exist.'),
    });
  }

  /** Stores events in one transaction, and tells of them. Nothing happens where the recording is gone. Waits for a lock: see `LiveEventQueue`. */
  async add(recordingId: string, events: readonly NewLiveEvent[]): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const found = await tx.query<object[]>(LOCK, [recordingId]);
      if (found.length > 0) await tx.query(ADD, [recordingId, JSON.stringify(events)]);
    });
    this.notifier.changed(recordingId);
  }

  /**
   * The events of a recording behind one that the caller has already, and those that come until all audio is there.
   * @param after 0: from the first
   * @throws NotFound also for recordings of others; BadRequest for a number that no event has
   */
  async read(
    caller: Caller,
    recordingId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<EventReader<TranscriptionEvent>> {
    await findOwn(this.dataSource.manager, caller, recordingId);
    const [state] = await this.dataSource.query<[{ isOver: boolean; lastEventId: number }]>(STATES, [[recordingId]]);
    if (after < 0 || after > (state?.lastEventId ?? 0))
      throw new BadRequest('after is not the number of an event of this recording.', 'after');
    return new EventReader({ feeds: this.feeds, subjectId: recordingId, state, after, signal, toEvent });
  }
}

function toEvent({ id: sequence, type, data }: StoredEvent): TranscriptionEvent {
  return { sequence, type: type as TranscriptionEventType, data: JSON.parse(data) as unknown };
}
