/** setTimeout fires at once for anything longer than this (2^31 − 1 ms, 24.8 days). */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Calls back at a point in time, never before it and however far away it is, without keeping the process alive.
 * @param time Unix milliseconds
 * @returns cancels it
 */
export function callAt(time: number, callback: () => void): () => void {
  const wait = () => setTimeout(turn, Math.min(Math.max(0, time - Date.now()), LONGEST_TIMER_MS)).unref();
  let timer = wait();
  // Timers may fire a little early.
  function turn(): void {
    if (Date.now() >= time) callback();
    else timer = wait();
  }
  return () => clearTimeout(timer);
}
