import type { Readable } from 'node:stream';

/** How long a store may be silent. */
const SILENCE_MS = 30_000;

/**
 * The bytes of an open stream of a store. It is closed when they are read, when the reader stops or, though nobody ever
 * read them, when the signal is aborted.
 * @throws the signal's reason; what `toError` makes of a store that fails or is silent for half a minute
 */
export function readBlob(
  stream: Readable,
  signal: AbortSignal,
  toError: (error: unknown) => Error,
): AsyncIterable<Uint8Array> {
  // An error before anybody reads must not end the process.
  stream.on('error', () => undefined);
  const abort = (): void => void stream.destroy();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', abort));
  return read(stream, signal, toError);
}

async function* read(
  stream: Readable,
  signal: AbortSignal,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  const blocks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const silence = new Error('The store of files is silent.');
  try {
    for (;;) {
      const timer = setTimeout(() => stream.destroy(silence), SILENCE_MS);
      const { done, value } = await blocks.next().finally(() => clearTimeout(timer));
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toError(error);
  } finally {
    stream.destroy();
  }
}
