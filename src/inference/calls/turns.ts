import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which other requests have their turn. */
const TURN_MS = 10;

/** Work on the values of one body that gives other requests their turn between two of them. */
export class Turns {
  private since = performance.now();

  /** Whether others have waited long enough. */
  get isOver(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  /** Lets others have their turn. */
  async giveWay(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}
