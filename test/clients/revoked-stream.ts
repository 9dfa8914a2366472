import { expect } from '@jest/globals';
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
  await platform.request('POST', '/v1/auth/logout', { body: session });
  const error = await end.promise;
  await upstream?.gone;
  // A client that tries again waits for up to a second or so before it does.
  await new Promise((resolve) => setTimeout(resolve, 2_500));

  expect(JSON.stringify(error)).toContain('unauthorized');
  expect(backend.requests.length - asked).toBe(1);
}
