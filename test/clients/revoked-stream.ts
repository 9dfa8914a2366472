import { expect, jest } from '@jest/globals';
import type { Gateway } from '../support/servers/gateway.js';
import { chunk, hanging } from '../support/servers/scripted-backend.js';

/** What a client does with a subscription. */
export interface Listener {
  readonly next: () => void;
  readonly ended: (error?: unknown) => void;
}

/**
 * Ends the session of a client that listens to an endless stream, and proves that the client is told, and does not run
 * the operation again.
 * @param listen subscribes with the token, with the client's own habits of reconnecting
 */
export async function expectNoSecondRun(
  { backend, platform }: Gateway,
  listen: (token: string, listener: Listener) => unknown,
): Promise<void> {
  const session = await platform.login();
  const asked = backend.requests.length;
  backend.answer(hanging(chunk({ content: 'Hel' })));
  const [first, end] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];

  listen(session.access_token, { next: () => first.resolve(), ended: (error) => end.resolve(error) });
  await first.promise;
  const upstream = backend.requests.at(-1);
  // A client that tries again waits for a while before it does.
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  await platform.request('POST', '/v1/auth/logout', { body: session });
  const error = await end.promise;
  await upstream?.gone;
  for (let waited = 0; waited < 20_000; waited += 500) {
    await jest.advanceTimersByTimeAsync(500);
    // What it asks comes before this answer, and long before the server is out of patience.
    await platform.request('GET', '/v1/models');
  }
  jest.useRealTimers();

  expect(JSON.stringify(error)).toContain('unauthorized');
  expect(backend.requests.length - asked).toBe(1);
}
