import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { findOwnState } from '../sessions/session-access.js';
import type { EventFeeds } from './event-feeds.js';
import { EventReader } from './event-reader.js';
import { ReaderPlaces } from './reader-places.js';

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
  ): Promise<EventReader> {
    const state = await findOwnState(this.dataSource.manager, caller, sessionId);
    const after = lastEventId ?? 0;
    if (after < 0 || after > state.lastEventId) {
      throw new BadRequest('lastEventId is not the id of an event of this session.', 'lastEventId');
    }
    this.places.require(caller.userId);
    const place = () => this.places.take(caller.userId);
    return new EventReader({ feeds: this.feeds, place, sessionId, state, after, signal });
  }
}
