import type { EventStream } from '../../graph/event-stream.js';
import type { EventBatch, StoredEvent } from './event-batch.js';
import type { EventFeed, FeedState } from './event-feed.js';
import type { EventFeeds } from './event-feeds.js';

const DONE = { value: undefined, done: true } as const;
/** A client is told at once that it has been heard, whenever the next event comes. */
const GREETING = Buffer.from(': waiting for events\n\n');

interface EventReaderParts<T> {
  readonly feeds: Pick<EventFeeds, 'join' | 'leave'>;
  readonly subjectId: string;
  /** Takes a place for the reader; what it returns gives it back. Left out: readers have no places. */
  readonly place?: () => () => void;
  /** As it was when the reader was asked for. */
  readonly state: FeedState;
  /** The last event that the reader has already; 0: none. */
  readonly after: number;
  /** Aborted when nobody waits any more, or may. */
  readonly signal: AbortSignal;
  /** An event as the graph tells it. */
  readonly toEvent: (event: StoredEvent) => T;
}

/**
 * The events of a subject for one reader: those that are stored, then those that come, until it is over. It holds
 * one batch at most. It ends with NotFound when the subject is gone.
 */
export class EventReader<T> implements EventStream<T> {
  isWhole = false;
  private position: number;
  private feed: EventFeed | undefined;
  private leave: (() => void) | undefined;
  private isEnded = false;
  /** Those of the last batch that the graph has not asked for yet. */
  private left: StoredEvent[] = [];
  private wake: (() => void) | undefined;

  constructor(private readonly parts: EventReaderParts<T>) {
    this.position = parts.after;
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    let hasBegun = false;
    const batches: AsyncIterableIterator<Uint8Array> = {
      next: async () => {
        const isFirst = !hasBegun;
        hasBegun = true;
        if (isFirst && !this.isEnded && this.begin().mustWaitAfter(this.position)) {
          return { value: GREETING, done: false };
        }
        const batch = await this.read();
        return batch ? { value: batch.bytes, done: false } : DONE;
      },
      return: () => this.return(),
      [Symbol.asyncIterator]: () => batches,
    };
    return batches;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.left.length === 0) this.left = [...((await this.read())?.events ?? [])];
    const event = this.left.shift();
    if (!event) return DONE;
    return { value: this.parts.toEvent(event), done: false };
  }

  async return(): Promise<typeof DONE> {
    this.end();
    return DONE;
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next events; undefined where there are none any more, or nobody wants them. */
  private async read(): Promise<EventBatch | undefined> {
    try {
      while (!this.isEnded) {
        const feed = this.begin();
        this.parts.signal.throwIfAborted();
        const found = feed.after(this.position);
        if (found) {
          const batch = await found;
          if (!batch || this.isEnded) return undefined;
          this.position = batch.lastId;
          return batch;
        }
        if (feed.isOverAfter(this.position)) {
          this.isWhole = true;
          this.end();
        } else {
          await this.change(feed);
        }
      }
      return undefined;
    } catch (error) {
      if (this.isEnded) return undefined;
      this.end();
      throw error;
    }
  }

  private begin(): EventFeed {
    const { feeds, place, subjectId, state, signal } = this.parts;
    if (!this.feed) {
      this.leave = place?.();
      this.feed = feeds.join(subjectId, state);
      signal.addEventListener('abort', this.abort, { once: true });
    }
    return this.feed;
  }

  /** Settles when something has changed, or this has ended. */
  private change(feed: EventFeed): Promise<void> {
    return new Promise((resolve) => {
      const stop = feed.onChange(() => this.wake?.());
      this.wake = () => {
        this.wake = undefined;
        stop();
        resolve();
      };
    });
  }

  private readonly abort = (): void => this.wake?.();

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.left = [];
    if (this.feed) this.parts.feeds.leave(this.feed);
    this.leave?.();
    this.parts.signal.removeEventListener('abort', this.abort);
    this.wake?.();
  }
}
