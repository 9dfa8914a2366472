import type { Logger } from 'pino';

/** A server that is started again every day must come to what is done once a day, too. */
const FIRST_MS = 60_000;

/** Work that is done again and again, see `repeat`. */
export interface PeriodicTask {
  /** For the log, as in `polling revocations`. */
  readonly name: string;
  /** From the end of one run to the beginning of the next; before the first it is a minute at most. */
  readonly intervalMs: number;
  run(): Promise<void>;
}

/** A task that runs again and again until it is stopped. */
export interface Periodic {
  /** Resolves when a run that has begun is over. */
  stop(): Promise<void>;
}

/**
 * Runs a task periodically, never twice at the same time and without keeping the process alive. A task that fails is
 * tried again at its next turn, and logged once until it works again.
 * @param name for the log, as in `polling revocations`
 * @param intervalMs between two runs; the first one is after a minute at most
 */
export function repeat(name: string, intervalMs: number, log: Logger, task: () => Promise<void>): Periodic {
  let failing = false;
  let run = Promise.resolve();
  let stopped = false;
  let timer = setTimeout(turn, Math.min(intervalMs, FIRST_MS)).unref();

  function turn(): void {
    run = attempt().then(() => {
      if (!stopped) timer = setTimeout(turn, intervalMs).unref();
    });
  }

  async function attempt(): Promise<void> {
    try {
      await task();
      if (failing) log.info(`${name} works again`);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, `${name} failed, and is tried again`);
      failing = true;
    }
  }

  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return run;
    },
  };
}
