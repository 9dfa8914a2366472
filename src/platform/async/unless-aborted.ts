/**
 * What was promised, or the reason of a signal where that comes first: what has been asked for goes on by itself then,
 * and how it ends is nobody's concern any more.
 */
export function unlessAborted<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
