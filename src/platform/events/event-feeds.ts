import type { DataSource } from 'typeorm';
import { EventFeed } from './event-feed.js';
import type { FeedState } from './event-feed.js';
import { EventPages } from './event-pages.js';
import type { EventTable } from './event-pages.js';

/** How far a subject is, as its row says. */
interface StateRow extends FeedState {
  readonly id: string;
}

/** Where events of a kind of subjects come from. */
export interface EventSource {
  readonly dataSource: DataSource;
  readonly events: EventTable;
  /** Answers `id`, `isOver` and `lastEventId` of the subjects with the ids of $1 that are there. */
  readonly states: string;
  /** Calls a listener whenever something has happened to a subject; the returned function ends that. */
  readonly listen: (subjectId: string, listener: () => void) => () => void;
  /** The error for a subject that is gone. */
  readonly gone: () => Error;
}

interface OpenFeed {
  readonly feed: EventFeed;
  readonly stop: () => void;
  readers: number;
}

/** The feeds of the subjects that somebody reads in this process: one each, from its first reader to its last. */
export class EventFeeds {
  private readonly open = new Map<string, OpenFeed>();
  private readonly pages: EventPages;

  constructor(private readonly source: EventSource) {
    this.pages = new EventPages(source.dataSource, source.events);
  }

  /** How many there are. */
  get size(): number {
    return this.open.size;
  }

  /** The feed of a subject, for one reader more. @param state as the reader has found it */
  join(subjectId: string, state: FeedState): EventFeed {
    const known = this.open.get(subjectId);
    if (known && !known.feed.hasFailed) {
      known.readers += 1;
      known.feed.learn(state);
      return known.feed;
    }
    if (known) this.remove(subjectId, known);
    const { pages, readState } = this;
    const { gone, listen } = this.source;
    const feed = new EventFeed(subjectId, state, { pages, readState, gone });
    const stop = listen(subjectId, feed.refresh);
    this.open.set(subjectId, { feed, stop, readers: 1 });
    // What has happened since its state was read, nobody was told of here.
    feed.refresh();
    return feed;
  }

  /** One reader less; behind the last one nothing is listened to. */
  leave(feed: EventFeed): void {
    const known = this.open.get(feed.subjectId);
    if (known?.feed !== feed) return;
    known.readers -= 1;
    if (known.readers === 0) this.remove(feed.subjectId, known);
  }

  /** Looks for what no message has told of: some get lost with Redis, and none comes from a process that has died. */
  async refresh(): Promise<void> {
    if (this.open.size === 0) return;
    const rows = await this.source.dataSource.query<StateRow[]>(this.source.states, [[...this.open.keys()]]);
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

  private readonly readState = async (id: string): Promise<FeedState | undefined> => {
    const [row] = await this.source.dataSource.query<StateRow[]>(this.source.states, [[id]]);
    return row;
  };
}
