import { setTimeout as wait } from 'node:timers/promises';

/** So much may come at once: what a client has kept while its connection was lost. */
const BURST_SECONDS = 60;
/** Faster than it is spoken; whoever sends a file in place of what is spoken waits. */
const TIMES = 10;

/** Time, as a session sees it. */
export interface PaceClock {
  /** In seconds. */
  now(): number;
  wait(seconds: number): Promise<void>;
}

/** Bounds how fast the audio of a session is taken: what comes faster waits, and nothing is lost. */
export class LivePace {
  private left = BURST_SECONDS;
  private last: number;

  constructor(private readonly clock: PaceClock) {
    this.last = clock.now();
  }

  /** Resolves when so many seconds of audio may be looked at. */
  async take(seconds: number): Promise<void> {
    const now = this.clock.now();
    this.left = Math.min(BURST_SECONDS, this.left + (now - this.last) * TIMES) - seconds;
    this.last = now;
    if (this.left < 0) await this.clock.wait(-this.left / TIMES);
  }
}

/** The time of this process. @param signal ends waiting */
export function paceClock(signal?: AbortSignal): PaceClock {
  return {
    now: () => performance.now() / 1_000,
    wait: (seconds) => wait(seconds * 1_000, undefined, signal ? { signal } : { ref: false }).catch(() => undefined),
  };
}
