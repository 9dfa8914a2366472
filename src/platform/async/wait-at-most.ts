import { setTimeout as delay } from 'node:timers/promises';

/** Waits for work, but no longer than so many milliseconds; then it goes on alone. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const over = delay(milliseconds, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([work, over]).finally(() => waiting.abort());
}
