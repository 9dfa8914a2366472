import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
/** How many times as long a busy machine may take. */
const PATIENCE = 4;

/**
 * Waits until `check` answers something, and answers that. What it throws counts as not yet.
 * @param what for the message, as in `the replicas serve`
 * @param seconds that a quiet machine takes at most
 * @throws Error that names `what` and the last failure
 */
export async function eventually<T>(
  what: string,
  seconds: number,
  check: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + PATIENCE * seconds * 1_000;
  let failure: unknown;
  do {
    try {
      const value = await check();
      if (value !== undefined && value !== false) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await sleep(PAUSE_MS);
  } while (performance.now() < deadline);
  throw new Error(`After ${PATIENCE * seconds} s still not: ${what}.`, { cause: failure });
}
