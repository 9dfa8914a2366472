const DONE = { value: undefined, done: true } as const;

/**
 * An iterator over a function that is called for each value and answers undefined at the end. Unlike a generator's,
 * its `return()` works while a `next()` is pending: it closes at once and settles the pending call as done.
 */
export class PullIterator<T> implements AsyncIterableIterator<T> {
  private closed = false;
  private settlePending: (() => void) | undefined;

  /**
   * @param pull is not called again before its last promise has settled, as long as `next` is not
   * @param close called once, by `return`
   */
  constructor(
    private readonly pull: () => Promise<T | undefined>,
    private readonly close: () => void,
  ) {}

  next(): Promise<IteratorResult<T>> {
    if (this.closed) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.settlePending = () => resolve(DONE);
      this.pull().then(
        (value) => {
          if (value === undefined) this.closed = true;
          resolve(value === undefined ? DONE : { value, done: false });
        },
        (error: unknown) => {
          this.closed = true;
          reject(error);
        },
      );
    });
  }

  return(): Promise<IteratorResult<T>> {
    if (!this.closed) {
      this.closed = true;
      this.close();
      this.settlePending?.();
    }
    return Promise.resolve(DONE);
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
