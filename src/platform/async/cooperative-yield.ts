import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 2;

/** Splits long computations, so that other requests get their turn of the event loop. */
export class CooperativeYield {
  private startedAt = performance.now();

  /** @param signal ends the computation */
  constructor(protected readonly signal?: AbortSignal) {}

  /** Whether it is time to yield; to be asked between small pieces of work. */
  get isDue(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  /** Lets others go first. @throws the reason of the signal */
  async yield(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.restart();
  }

  /** Does steps to their end; others have their turn between them. @throws the reason of the signal; what a step throws */
  async finish<Result>(steps: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.isDue) await this.yield();
    }
  }

  /** What a function makes of items; others have their turn between them. @throws the reason of the signal */
  async map<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Promise<Made[]> {
    const made: Made[] = [];
    for (const item of items) {
      made.push(make(item));
      if (this.isDue) await this.yield();
    }
    return made;
  }

  /** Says that others have had their turn, as where the computation has waited for its input. */
  restart(): void {
    this.startedAt = performance.now();
  }
}
