import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventIterator } from '../../../src/platform/async/event-iterator.js';
import type { EventSource } from '../../../src/platform/async/event-iterator.js';

const DONE = { value: undefined, done: true };

describe('an iterator over events', () => {
  let push: (event: number) => void;
  let listened: number;
  let stopped: number;

  beforeEach(() => {
    [listened, stopped] = [0, 0];
    push = () => undefined;
  });

  it('listens from the first next on, and gives every event in order', async () => {
    const events = iterate();
    push(-1);
    const first = events.next();
    for (const event of [1, 2, 3]) push(event);

    expect(await first).toEqual({ value: 1, done: false });
    expect([await events.next(), await events.next()].map(({ value }) => value)).toEqual([2, 3]);
    expect([listened, stopped]).toEqual([1, 0]);
  });

  it('gives what is there when it begins to listen', async () => {
    const events = iterate({ listen: (listener) => (listener(7), () => undefined) });

    expect(await events.next()).toEqual({ value: 7, done: false });
  });

  it('answers several that wait in their order', async () => {
    const events = iterate({ read: async (event) => event * 10 });
    const waiting = [events.next(), events.next(), events.next()];

    for (const event of [1, 2, 3]) push(event);

    expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([10, 20, 30]);
  });

  it('ends while a next is pending, and hears nothing afterwards', async () => {
    const events = iterate();
    const pending = [events.next(), events.next()];

    expect(await events.return()).toEqual(DONE);
    push(1);

    expect([await pending[0], await pending[1], await events.next(), await events.return()]).toEqual(
      Array(4).fill(DONE),
    );
    expect([listened, stopped]).toEqual([1, 1]);
  });

  it('ends while a value is read, whose signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const events = iterate({
      read: (_event, given) => {
        signal = given;
        return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(given.reason)));
      },
    });
    const pending = events.next();
    push(1);

    await events.return();

    expect(await pending).toEqual(DONE);
    expect([signal?.aborted, stopped]).toEqual([true, 1]);
  });

  it('that ends before its first next never listens', async () => {
    const events = iterate();

    await events.return();

    expect([await events.next(), listened, stopped]).toEqual([DONE, 0, 0]);
  });

  it('keeps a bounded number of events for a slow reader, and ends with an error where there are more', async () => {
    const events = iterate();
    const first = events.next();
    push(-1);
    await first;

    for (let event = 0; event < 2_500; event += 1) push(event);

    await expect(events.next()).rejects.toMatchObject({ status: 503 });
    expect([await events.next(), stopped]).toEqual([DONE, 1]);
  });

  it('tells a reader that waits for a slow value of the events that could not wait', async () => {
    const events = iterate({ capacity: 2, read: () => new Promise(() => undefined) });
    const pending = [events.next(), events.next()];

    for (const event of [1, 2, 3, 4]) push(event);

    await expect(pending[0]).rejects.toMatchObject({ status: 503 });
    expect([await pending[1], stopped]).toEqual([DONE, 1]);
  });

  it('keeps the youngest alone where there is room for one', async () => {
    const events = iterate({ capacity: 1 });
    const first = events.next();
    for (const event of [1, 2, 3]) push(event);
    await first;
    push(4);
    push(5);

    expect((await events.next()).value).toBe(5);
  });

  it('leaves out events without a value', async () => {
    const events = iterate({ read: (event) => (event % 2 === 0 ? event : undefined) });
    const next = events.next();

    for (const event of [1, 3, 4, 5, 6]) push(event);

    expect([(await next).value, (await events.next()).value]).toEqual([4, 6]);
  });

  it.each([
    ['throws', () => undefined],
    ['fails later', () => Promise.resolve()],
  ])('ends with the error of a value whose making %s, and listens no more', async (_how, begin) => {
    const events = iterate({
      read: (): undefined | Promise<undefined> => {
        const fail = (): never => {
          throw new Error('no value');
        };
        return begin()?.then(fail) ?? fail();
      },
    });
    const pending = [events.next(), events.next()];
    push(1);

    await expect(pending[0]).rejects.toThrow('no value');
    expect([await pending[1], await events.next(), stopped]).toEqual([DONE, DONE, 1]);
  });

  it('ends with the loop that reads it', async () => {
    const seen: unknown[] = [];
    const events = iterate();
    setImmediate(() => [1, 2, 3].forEach((event) => push(event)));

    for await (const event of events) {
      seen.push(event);
      if (seen.length === 2) break;
    }

    expect([seen, stopped]).toEqual([[1, 2], 1]);
  });

  it('throws back what is thrown into it', async () => {
    const events = iterate();
    const pending = events.next();

    await expect(events.throw(new Error('enough'))).rejects.toThrow('enough');

    expect([await pending, stopped]).toEqual([DONE, 1]);
  });

  function iterate(source: Partial<EventSource<number, unknown>> = {}): EventIterator<number, unknown> {
    return new EventIterator<number, unknown>({
      listen: (listener) => {
        listened += 1;
        push = listener;
        return () => (stopped += 1);
      },
      read: (event) => event,
      ...source,
    });
  }
});
