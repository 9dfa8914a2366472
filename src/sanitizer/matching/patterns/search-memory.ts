import { ThreadList } from './thread-list.js';

/** What searches need while they go on through a piece of a text. They take turns with it, so that one is enough. */
export class SearchMemory {
  /** The threads before a character. */
  threads: ThreadList;
  /** The threads behind it. */
  nextThreads: ThreadList;
  /** The threads before it, each followed to where it takes a character. */
  readonly current: ThreadList;
  /** Places that are to be followed. */
  readonly stack: number[] = [];

  /** @param capacity how many instructions the longest program has */
  constructor(capacity: number) {
    this.threads = new ThreadList(capacity);
    this.nextThreads = new ThreadList(capacity);
    this.current = new ThreadList(capacity);
  }
}
