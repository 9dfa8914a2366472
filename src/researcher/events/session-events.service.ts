import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest, NotFound } from '../../errors.js';
import type { StoredEvent } from '../../platform/events/event-batch.js';
import { EventFeeds } from '../../platform/events/event-feeds.js';
import { EventReader } from '../../platform/events/event-reader.js';
import type { ResearchEventType } from '../sessions/research-event.entity.js';
import type { ResearchNotifier } from '../sessions/research-notifier.js';
import { ENDED } from '../sessions/research-session.entity.js';
import { findOwnState } from '../sessions/session-access.js';
import type { ResearchSessionEvent } from './research-event.types.js';
import { ReaderPlaces } from './reader-places.js';

const STATES = `
  SELECT id, status = ANY ('{${ENDED.join(',')}}') AS "isOver", last_event_id AS "lastEventId"
  FROM research_sessions WHERE id = ANY($1) AND deleted_at IS NULL`;

/** The feeds of research sessions. */
export function researchFeeds(dataSource: DataSource, notifier: Pick<ResearchNotifier, 'listen'>): EventFeeds {
  return new EventFeeds({
    dataSource,
    events: { table: 'research_events', column: 'session_id' },
    states: STATES,
    listen: (id, listener) => notifier.listen(id, listener),
    gone: () => new NotFound('The session does not exist.'),
  });
}

/** Events of sessions, for those whose they are. */
export class SessionEventsService {
  private readonly places = new ReaderPlaces();

  constructor(
    private readonly dataSource: DataSource,
    private readonly feeds: EventFeeds,
  ) {}

  /**
   * The events of a session behind one that the caller has already, and those that come until it is over.
   * @param lastEventId 0 and left out: from the first
   * @param signal ends them
   * @throws NotFound also for those of others; BadRequest for an id that no event of the session has; RateLimited where the
   * caller reads too many
   */
  async read(
    caller: Caller,
    sessionId: string,
    lastEventId: number | null | undefined,
    signal: AbortSignal,
  ): Promise<EventReader<ResearchSessionEvent>> {
    const { status, lastEventId: last } = await findOwnState(this.dataSource.manager, caller, sessionId);
    const state = { isOver: ENDED.includes(status), lastEventId: last };
    const after = lastEventId ?? 0;
    if (after < 0 || after > state.lastEventId) {
      throw new BadRequest('lastEventId is not the id of an event of this session.', 'lastEventId');
    }
    this.places.require(caller.userId);
    const place = () => this.places.take(caller.userId);
    return new EventReader({ feeds: this.feeds, place, subjectId: sessionId, state, after, signal, toEvent });
  }
}

function toEvent({ id: sequence, type, data }: StoredEvent): ResearchSessionEvent {
  return { sequence, type: type as ResearchEventType, data: JSON.parse(data) as unknown };
}
