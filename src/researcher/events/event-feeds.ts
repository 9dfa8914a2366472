import type { DataSource } from 'typeorm';
import type { ResearchNotifier } from '../sessions/research-notifier.js';
import { EventFeed } from './event-feed.js';
import type { SessionState } from './event-feed.js';
import { EventPages } from './event-pages.js';

const STATES = `
  SELECT id, status, last_event_id AS "lastEventId" FROM research_sessions WHERE id = ANY($1) AND deleted_at IS NULL`;

interface StateRow extends SessionState {
  readonly id: string;
}

interface OpenFeed {
  readonly feed: EventFeed;
  readonly stop: () => void;
  readers: number;
}

/** The feeds of the sessions that somebody reads in this process: one each, from its first reader to its last. */
export class EventFeeds {
  private readonly open = new Map<string, OpenFeed>();
  private readonly pages: EventPages;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifier: Pick<ResearchNotifier, 'listen'>,
  ) {
    this.pages = new EventPages(dataSource);
  }

  /** How many there are. */
  get size(): number {
    return this.open.size;
  }

  /** The feed of a session, for one reader more. @param state as the reader has found it */
  join(sessionId: string, state: SessionState): EventFeed {
    const known = this.open.get(sessionId);
    if (known && !known.feed.hasFailed) {
      known.readers += 1;
      known.feed.learn(state);
      return known.feed;
    }
    if (known) this.remove(sessionId, known);
    const { pages, readState } = this;
    const feed = new EventFeed(sessionId, state, { pages, readState });
    const stop = this.notifier.listen(sessionId, feed.refresh);
    this.open.set(sessionId, { feed, stop, readers: 1 });
    // What has happened since its state was read, nobody was told of here.
    feed.refresh();
    return feed;
  }

  /** One reader less; behind the last one nothing is listened to. */
  leave(feed: EventFeed): void {
    const known = this.open.get(feed.sessionId);
    if (known?.feed !== feed) return;
    known.readers -= 1;
    if (known.readers === 0) this.remove(feed.sessionId, known);
  }

  /** Looks for what no message has told of: some get lost with Redis, and none comes from a process that has died. */
  async refresh(): Promise<void> {
    if (this.open.size === 0) return;
    const rows = await this.dataSource.query<StateRow[]>(STATES, [[...this.open.keys()]]);
    const states = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { feed }] of this.open) if (!feed.agreesWith(states.get(id))) feed.refresh();
  }

  /** Listens to nothing any more. */
  close(): void {
    for (const [id, known] of this.open) this.remove(id, known);
  }

  private remove(id: string, { stop }: OpenFeed): void {
    stop();
    this.open.delete(id);
  }

  private readonly readState = async (id: string): Promise<SessionState | undefined> => {
    const [row] = await this.dataSource.query<StateRow[]>(STATES, [[id]]);
    return row;
  };
}
