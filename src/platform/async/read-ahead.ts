/**
 * Reads ahead: while the caller is at work, the source gets the next items, one after another.
 * @param most items that are read ahead, from 1
 * @returns what is ready at once, in order, at least one item at a time
 * @throws what the source throws, behind the items that came before
 */
export async function* readAhead<T>(
  source: AsyncGenerator<T, unknown, undefined>,
  most = 1,
): AsyncGenerator<T[], void, undefined> {
  const ready: T[] = [];
  /** The items that were asked for, the first that is not taken first: whether there is one. */
  const asked: Promise<boolean>[] = [];
  const ask = (): void => {
    const isThere = source.next().then(({ done, value }) => {
      if (!done) ready.push(value as T);
      return !done;
    });
    // Whoever stops here never hears of it.
    isThere.catch(() => undefined);
    asked.push(isThere);
  };
  try {
    for (ask(); await asked[0];) {
      const items = ready.splice(0);
      asked.splice(0, items.length);
      while (asked.length < most) ask();
      yield items;
    }
  } finally {
    // Not waited for: what is being read may take long.
    source.return(undefined).catch(() => undefined);
  }
}
