import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 2;

/** Splits long computations, so that other requests get their turn of the event loop. */
export class CooperativeYield {
  private startedAt = performance.now();

  /** @param signal ends the computation */
  constructor(private readonly signal?: AbortSignal) {}

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

  /** Says that others have had their turn, as where the computation has waited for its input. */
  restart(): void {
    this.startedAt = performance.now();
  }
}
