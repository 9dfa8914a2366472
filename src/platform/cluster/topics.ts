/** How many messages wait for a slow subscriber; then it misses the oldest. */
const QUEUE_MESSAGES = 1_000;

/** Messages from whoever knows of something to whoever wants to hear of it. */
export interface Topics {
  /** @param message JSON */
  publish(topic: string, message: unknown): void;
  /**
   * The messages of a topic from the first `next()` on. `return()` works at any time, also while a `next()` is pending.
   */
  subscribe(topic: string): AsyncIterableIterator<unknown>;
}

/** Topics within one process. */
export class MemoryTopics implements Topics {
  private readonly subscribers = new Map<string, Set<Subscriber>>();

  publish(topic: string, message: unknown): void {
    for (const subscriber of this.subscribers.get(topic) ?? []) subscriber.push(message);
  }

  subscribe(topic: string): AsyncIterableIterator<unknown> {
    const subscriber: Subscriber = new Subscriber({
      opened: () => {
        const others = this.subscribers.get(topic) ?? new Set();
        this.subscribers.set(topic, others.add(subscriber));
      },
      closed: () => {
        const others = this.subscribers.get(topic);
        others?.delete(subscriber);
        if (others?.size === 0) this.subscribers.delete(topic);
      },
    });
    return subscriber;
  }
}

const DONE = { value: undefined, done: true } as const;

class Subscriber implements AsyncIterableIterator<unknown> {
  private readonly queue: unknown[] = [];
  private state: 'new' | 'open' | 'closed' = 'new';
  private wake: (() => void) | undefined;

  constructor(private readonly hooks: { readonly opened: () => void; readonly closed: () => void }) {}

  push(message: unknown): void {
    if (this.queue.length === QUEUE_MESSAGES) this.queue.shift();
    this.queue.push(message);
    this.wake?.();
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.state === 'new') {
      this.state = 'open';
      this.hooks.opened();
    }
    while (this.state === 'open' && this.queue.length === 0) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    this.wake = undefined;
    return this.state === 'open' ? { value: this.queue.shift(), done: false } : DONE;
  }

  async return(): Promise<IteratorResult<unknown>> {
    if (this.state === 'open') this.hooks.closed();
    this.state = 'closed';
    this.wake?.();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
