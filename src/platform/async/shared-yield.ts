import { CooperativeYield } from './cooperative-yield.js';

/** The computations that wait for their turn, the one that has waited longest first. */
const waiting: (() => void)[] = [];

/**
 * Splits long computations like `CooperativeYield`, of which there may be many at once: between two of the turns that all
 * of these have, the event loop does everything else, so that a hundred computations hold it no longer than one.
 */
export class SharedYield extends CooperativeYield {
  /** Lets everything else go first, and then the computations that wait already. @throws the reason of the signal */
  override async yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
    this.signal?.throwIfAborted();
    this.restart();
  }
}

function next(): void {
  waiting.shift()?.();
  // What is set from here comes behind the events that have come meanwhile.
  if (waiting.length > 0) setImmediate(next);
}
