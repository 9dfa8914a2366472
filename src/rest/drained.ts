import type { ServerResponse } from 'node:http';
import { ClientGone, PlatformError } from '../errors.js';

/**
 * Resolves when the client has read enough for the next write, or will never: it has left, and the answer goes on for its
 * Idempotency-Key.
 * @throws the reason of the signal
 */
export function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      signal.removeEventListener('abort', settle);
      if (!signal.aborted) resolve();
      else reject(signal.reason instanceof PlatformError ? signal.reason : new ClientGone());
    };
    response.on('drain', settle).on('close', settle);
    signal.addEventListener('abort', settle);
    if (signal.aborted) settle();
  });
}
