import { ThreadList } from './thread-list.js';

/** What searches need while they go on through a piece of a text. They take turns with it, so that one is enough. */
export class SearchMemory {
  /** The threads before a character. */
  seeds: ThreadList;
  /** The threads behind it. */
  next: ThreadList;
  /** The threads that take it. */
  readonly current: ThreadList;
  /** Places that are to be followed. */
  readonly stack: number[] = [];

  /** @param capacity how many instructions the longest program has */
  constructor(capacity: number) {
    this.seeds = new ThreadList(capacity);
    this.next = new ThreadList(capacity);
    this.current = new ThreadList(capacity);
  }
}
