/** Ends an iteration behind the value that is its last one; ending it early ends the source at once. */
export function untilLast<T>(
  source: AsyncIterableIterator<T>,
  isLast: (value: T) => boolean,
): AsyncIterableIterator<T> {
  let isOver = false;
  const end = async (): Promise<IteratorResult<T>> => {
    await source.return?.();
    return { value: undefined, done: true };
  };
  return {
    async next() {
      if (isOver) return end();
      const result = await source.next();
      isOver = result.done !== true && isLast(result.value);
      return result;
    },
    return: end,
    async throw(error: unknown) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
