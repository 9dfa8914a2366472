import { NotFound } from '../../errors.js';
import type { ResearchStatus } from '../sessions/research-session.entity.js';
import { ENDED } from '../sessions/research-session.entity.js';
import type { EventBatch } from './event-batch.js';
import type { EventPages } from './event-pages.js';
import { EventWindow } from './event-window.js';

/** How far a session is. */
export interface SessionState {
  readonly status: ResearchStatus;
  readonly lastEventId: number;
}

interface EventFeedParts {
  readonly pages: Pick<EventPages, 'after'>;
  /** Undefined where the session is gone. */
  readonly readState: (sessionId: string) => Promise<SessionState | undefined>;
}

/** The new events of one session, which are read once for all its readers in this process. */
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
    readonly sessionId: string,
    state: SessionState,
    private readonly parts: EventFeedParts,
  ) {
    this.lastId = state.lastEventId;
    this.isOver = ENDED.includes(state.status);
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Takes what a reader knows that comes later: a session that was over may have been resumed. */
  learn({ lastEventId }: SessionState): void {
    if (lastEventId <= this.lastId) return;
    this.isOver = false;
    this.refresh();
  }

  /** Whether this is how the session stands, as far as is known here. */
  agreesWith(state: SessionState | undefined): boolean {
    return state?.lastEventId === this.lastId && ENDED.includes(state.status) === this.isOver;
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
   * @throws NotFound where the session is gone; what the database throws
   */
  after(id: number): EventBatch | Promise<EventBatch | undefined> | undefined {
    if (this.hasFailed) throw this.failure;
    if (id >= this.lastId) return undefined;
    return this.window.after(id) ?? this.parts.pages.after(this.sessionId, id).then((batch) => following(batch, id));
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
    const state = await readState(this.sessionId);
    if (!state) return this.fail(unknownSession());
    while (this.lastId < state.lastEventId) {
      const batch = following(await pages.after(this.sessionId, this.lastId), this.lastId);
      this.window.add(batch);
      this.lastId = batch.lastId;
      this.tell();
    }
    this.isOver = ENDED.includes(state.status) && this.lastId === state.lastEventId;
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
}

/** Ids have no gaps: events are deleted with their session alone. @throws NotFound where some are gone */
function following(batch: EventBatch | undefined, id: number): EventBatch {
  if (batch?.events[0].id !== id + 1) throw unknownSession();
  return batch;
}

function unknownSession(): NotFound {
  return new NotFound('The session does not exist.');
}
