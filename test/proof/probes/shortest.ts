import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';

/**
 * Measures again where other work on the machine may have made a time longer, three times at most.
 * @param bound in milliseconds: a time below it is taken
 * @param attempt resolves with what it took, in milliseconds
 * @returns the shortest
 */
export async function shortest(bound: number, attempt: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 3 && least >= bound; count += 1) least = Math.min(least, await attempt());
  return least;
}

/**
 * How long a call of a model server that says nothing goes on when its caller leaves, in milliseconds.
 * @param call made until the signal is aborted
 */
export async function leftCallMs(
  server: Pick<ScriptedBackend, 'nextRequest'>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const controller = new AbortController();
  const arrival = server.nextRequest();
  const pending = call(controller.signal).catch(() => undefined);
  const { gone } = await arrival;
  const leftAt = performance.now();
  controller.abort();
  await gone;
  const took = performance.now() - leftAt;
  await pending;
  return took;
}
