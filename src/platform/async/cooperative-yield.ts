const SLICE_MS = 2;

/** The computations that wait for their turn, the one that has waited longest first. */
const waiting: (() => void)[] = [];

/**
 * Splits long computations, so that other requests get their turn of the event loop: between two turns that any of them
 * has, the event loop does everything else, so that a hundred computations hold it no longer than one.
 */
export class CooperativeYield {
  private startedAt = performance.now();

  /** @param signal ends the computation */
  constructor(private readonly signal?: AbortSignal) {}

  /** Whether it is time to yield; to be asked between small pieces of work. */
  get isDue(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  /** Lets everything else go first, and the computations that wait already. @throws the reason of the signal */
  async yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
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

function next(): void {
  waiting.shift()?.();
  // What is set from here comes behind the events that have come meanwhile.
  if (waiting.length > 0) setImmediate(next);
}
