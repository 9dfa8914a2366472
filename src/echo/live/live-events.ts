import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest, NotFound } from '../../errors.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import type { StoredEvent } from '../../platform/events/event-batch.js';
import { EventFeeds } from '../../platform/events/event-feeds.js';
import { EventReader } from '../../platform/events/event-reader.js';
import { findOwn } from '../recordings/recording-access.js';
import type { TranscriptionEventType } from './live-event.entity.js';
import { addLiveEvents } from './live-event-log.js';
import type { NewLiveEvent } from './live-event-log.js';
import type { TranscriptionEvent } from './live-event.types.js';

/**
 * A recording of a live session is told until all its audio is there, also where its session was cut off for good; another
 * one until it is transcribed, or cannot be.
 */
const STATES = `
  SELECT r.id, coalesce(last.id, 0) AS "lastEventId",
    r.status <> 'created' AND (r.live_at IS NOT NULL OR r.status IN ('completed', 'failed')
      OR coalesce(last.status = 'ended', false)) AS "isOver"
  FROM recordings r LEFT JOIN LATERAL (
    SELECT e.id, e.data->>'status' AS status FROM live_events e WHERE e.recording_id = r.id ORDER BY e.id DESC LIMIT 1
  ) last ON true
  WHERE r.id = ANY($1) AND r.deleted_at IS NULL`;
/** One after another, also where other replicas add: the row of the recording is locked. */
const LOCK = 'SELECT FROM recordings WHERE id = $1 AND deleted_at IS NULL FOR UPDATE';
/** The numbered events of transcriptions, for any number of viewers, on any replica, also later. */
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
      if (found.length > 0) await addLiveEvents(tx, recordingId, events);
    });
    this.notifier.changed(recordingId);
  }

  /**
   * The events of a recording behind one that the caller has already, and those that come.
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
