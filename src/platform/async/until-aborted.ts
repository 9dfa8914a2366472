import { unlessAborted } from './unless-aborted.js';

/**
 * What a source gives until the signal is aborted. Nobody waits for a source that is silent then, as a generator's
 * `return()` would.
 * @throws the reason of the signal; what the source throws
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await unlessAborted(iterator.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    iterator.return?.().catch(() => undefined);
  }
}
