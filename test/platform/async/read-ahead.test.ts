import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { readAhead } from '../../../src/platform/async/read-ahead.js';

describe('readAhead', () => {
  it('has the source get the next item while the caller is at work on one', async () => {
    const asked: number[] = [];
    const seen: [number[], number[]][] = [];

    for await (const items of readAhead(count(3, asked))) seen.push([items, [...asked]]);

    expect(seen).toEqual([
      [[1], [1, 2]],
      [[2], [1, 2, 3]],
      [[3], [1, 2, 3]],
    ]);
  });

  it('gives what is ready at once, and goes no further ahead than it may', async () => {
    const asked: number[] = [];
    const seen: [number[], number[]][] = [];

    for await (const items of readAhead(count(8, asked), 3)) {
      await setImmediate();
      seen.push([items, [...asked]]);
    }

    expect(seen).toEqual([
      [[1], [1, 2, 3, 4]],
      [
        [2, 3, 4],
        [1, 2, 3, 4, 5, 6, 7],
      ],
      [
        [5, 6, 7],
        [1, 2, 3, 4, 5, 6, 7, 8],
      ],
      [[8], [1, 2, 3, 4, 5, 6, 7, 8]],
    ]);
  });

  it('throws what the source throws, behind the items that came before', async () => {
    const seen: number[] = [];
    const reading = (async () => {
      for await (const items of readAhead(failing(), 3)) seen.push(...items);
    })();

    await expect(reading).rejects.toThrow('The database is gone.');
    expect(seen).toEqual([1, 2]);
  });

  it('ends the source when the caller stops, and hears no more of it', async () => {
    let isEnded = false;
    async function* source(): AsyncGenerator<number, void, undefined> {
      try {
        yield 1;
        await setImmediate();
        throw new Error('Nobody asks for it.');
      } finally {
        isEnded = true;
      }
    }

    for await (const _items of readAhead(source())) break;
    await setImmediate();
    await setImmediate();

    expect(isEnded).toBe(true);
  });
});

async function* count(last: number, asked: number[]): AsyncGenerator<number, void, undefined> {
  for (let item = 1; item <= last; item += 1) {
    asked.push(item);
    yield item;
  }
}

async function* failing(): AsyncGenerator<number, void, undefined> {
  yield 1;
  yield 2;
  throw new Error('The database is gone.');
}
