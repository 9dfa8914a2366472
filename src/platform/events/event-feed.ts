import type { EventBatch } from './event-batch.js';
import type { EventPages } from './event-pages.js';
import { EventWindow } from './event-window.js';

/** How far a subject is. */
export interface FeedState {
  /** Whether nothing more happens, as far as is known. */
  readonly isOver: boolean;
  /** 0: none. */
  readonly lastEventId: number;
}

interface EventFeedParts {
  readonly pages: Pick<EventPages, 'after'>;
  /** Undefined where the subject is gone. */
  readonly readState: (subjectId: string) => Promise<FeedState | undefined>;
  /** The error for a subject that is gone. */
  readonly gone: () => Error;
}

/** The new events of one subject, such as a session, which are read once for all its readers in this process. */
export class EventFeed {
  private readonly window = new EventWindow();
  private readonly waiting = new Set<() => void>();
  private lastId: number;
  private isOver: boolean;
  /** Why nobody is told of any more. */
  private failure: unknown;
  private isReading = false;
  private isStale = false;

  constructor(
    readonly subjectId: string,
    state: FeedState,
    private readonly parts: EventFeedParts,
  ) {
    this.lastId = state.lastEventId;
    this.isOver = state.isOver;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Takes what a reader knows that comes later: what was over may have been resumed. */
  learn({ lastEventId }: FeedState): void {
    if (lastEventId <= this.lastId) return;
    this.isOver = false;
    this.refresh();
  }

  /** Whether this is how the subject stands, as far as is known here. */
  agreesWith(state: FeedState | undefined): boolean {
    return state?.lastEventId === this.lastId && state.isOver === this.isOver;
  }

  /** Whether readers of an event have to wait for the next one. */
  mustWaitAfter(id: number): boolean {
    return !this.hasFailed && !this.isOver && id >= this.lastId;
  }

  /** Whether there is nothing behind an event, and there will be nothing. */
  isOverAfter(id: number): boolean {
    return this.isOver && id >= this.lastId;
  }

  /**
   * The events that follow one; undefined where there are none yet.
   * @throws NotFound where the subject is gone; what the database throws
   */
  after(id: number): EventBatch | Promise<EventBatch | undefined> | undefined {
    if (this.hasFailed) throw this.failure;
    if (id >= this.lastId) return undefined;
    return (
      this.window.after(id) ?? this.parts.pages.after(this.subjectId, id).then((batch) => this.following(batch, id))
    );
  }

  /** Calls back once, when something has changed; the returned function ends that. */
  onChange(callback: () => void): () => void {
    this.waiting.add(callback);
    return () => void this.waiting.delete(callback);
  }

  /** Reads what is new: once more where something has changed meanwhile. */
  readonly refresh = (): void => {
    this.isStale = true;
    if (!this.isReading) void this.readAll();
  };

  private async readAll(): Promise<void> {
    this.isReading = true;
    try {
      while (this.isStale && !this.hasFailed) {
        this.isStale = false;
        await this.read();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isReading = false;
    }
  }

  private async read(): Promise<void> {
    const { pages, readState } = this.parts;
    const state = await readState(this.subjectId);
    if (!state) return this.fail(this.parts.gone());
    while (this.lastId < state.lastEventId) {
      const batch = this.following(await pages.after(this.subjectId, this.lastId), this.lastId);
      this.window.add(batch);
      this.lastId = batch.lastId;
      this.tell();
    }
    this.isOver = state.isOver && this.lastId === state.lastEventId;
    if (this.isOver) this.tell();
  }

  private fail(reason: unknown): void {
    this.failure = reason;
    this.tell();
  }

  private tell(): void {
    const callbacks = [...this.waiting];
    this.waiting.clear();
    for (const callback of callbacks) callback();
  }

  /** Ids have no gaps: events are deleted with their subject alone. @throws NotFound where some are gone */
  private following(batch: EventBatch | undefined, id: number): EventBatch {
    if (batch?.events[0].id !== id + 1) throw this.parts.gone();
    return batch;
  }
}
