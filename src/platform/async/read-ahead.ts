/**
 * Reads one item ahead: while the caller is at work on one, the source gets the next.
 * @throws what the source throws, when its turn has come
 */
export async function* readAhead<T>(source: AsyncGenerator<T, unknown, undefined>): AsyncGenerator<T, void, undefined> {
  try {
    for (let next = source.next(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // Whoever stops here never hears of it.
      next.catch(() => undefined);
      yield value as T;
    }
  } finally {
    // Not waited for: what is being read may take long.
    source.return(undefined).catch(() => undefined);
  }
}
