import type { ScriptedBackend } from '../servers/scripted-backend.js';

/**
 * Makes a call of a model server that never answers, and leaves it once it has arrived there. Resolves when the model
 * server's connection is closed.
 * @param call made until the signal is aborted
 */
export async function leaveCall(
  server: Pick<ScriptedBackend, 'nextRequest'>,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  const arrival = server.nextRequest();
  const pending = call(controller.signal).catch(() => undefined);
  const { gone } = await arrival;
  controller.abort();
  await gone;
  await pending;
}
