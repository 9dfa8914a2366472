import { Unavailable } from '../../errors.js';

/** How many events wait for a slow reader. */
const CAPACITY = 1_000;

const DONE = { value: undefined, done: true } as const;

/** Where an iterator's events come from, and what it makes of them. */
export interface EventSource<Event, Value> {
  /**
   * Begins to listen; called by the first `next()`.
   * @param push to be called with each event, at any time and any number of times
   * @returns ends it; called once
   */
  listen(push: (event: Event) => void): () => void;
  /**
   * The value for an event, made when it is asked for; undefined: none, and the next event is waited for. One call at a
   * time. What it throws ends the iteration.
   * @param signal aborted when the iteration ends
   */
  read(event: Event, signal: AbortSignal): Value | undefined | Promise<Value | undefined>;
  /**
   * How many events wait at most, 1,000 unless it is given. With 1 only the youngest matters, and takes the place of the
   * one that waits; otherwise one too many ends the iteration, so that nobody misses an event without knowing.
   */
  readonly capacity?: number;
}

interface Waiting<Value> {
  readonly resolve: (result: IteratorResult<Value>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * An iterator over events that are pushed. Nothing is listened to before the first `next()`. Unlike a generator's, its
 * `return()` works while a `next()` is pending: it stops listening at once and settles the pending call as done. Whoever
 * reads too slowly gets an error in place of the events that could not wait.
 */
export class EventIterator<Event, Value = Event> implements AsyncIterableIterator<Value> {
  private readonly events: Event[] = [];
  private readonly waiting: Waiting<Value>[] = [];
  private readonly ending = new AbortController();
  private stop: (() => void) | undefined;
  private readonly capacity: number;
  private isReading = false;
  /** Why it has ended, until somebody is told. */
  private failure: Unavailable | undefined;

  constructor(private readonly source: EventSource<Event, Value>) {
    this.capacity = source.capacity ?? CAPACITY;
  }

  /** @throws Unavailable where more events have come than can wait */
  next(): Promise<IteratorResult<Value>> {
    const { failure } = this;
    this.failure = undefined;
    if (failure) return Promise.reject(failure);
    if (this.ending.signal.aborted) return Promise.resolve(DONE);
    this.stop ??= this.source.listen((event) => this.push(event));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      void this.serve();
    });
  }

  async return(): Promise<IteratorResult<Value>> {
    this.end();
    return DONE;
  }

  async throw(error: unknown): Promise<IteratorResult<Value>> {
    this.end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private push(event: Event): void {
    if (this.ending.signal.aborted) return;
    if (this.events.length < this.capacity) this.events.push(event);
    else if (this.capacity === 1) this.events[0] = event;
    else return this.fail();
    void this.serve();
  }

  /** Answers those who wait, as long as there are events. */
  private async serve(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.waiting.length > 0 && this.events.length > 0) {
        const value = await this.source.read(this.events.shift() as Event, this.ending.signal);
        if (value !== undefined) this.waiting.shift()?.resolve({ value, done: false });
      }
    } catch (error) {
      this.waiting.shift()?.reject(error);
      this.end();
    } finally {
      this.isReading = false;
    }
  }

  /** The call that waits is told, else the next one. */
  private fail(): void {
    const failure = new Unavailable('More has happened than was read in time. Please look at what there is by now.');
    const pending = this.waiting.shift();
    if (pending) pending.reject(failure);
    else this.failure = failure;
    this.end();
  }

  private end(): void {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    this.stop?.();
    this.events.length = 0;
    for (const { resolve } of this.waiting.splice(0)) resolve(DONE);
  }
}
