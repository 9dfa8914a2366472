import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { LiveEventQueue } from '../../../src/echo/live/live-event-queue.js';
import type { NewLiveEvent } from '../../../src/echo/live/live-event-log.js';
import { silentLog } from '../../support/probes/silent-log.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('stores the events of a recording in one transaction at a time, and what comes meanwhile together', async () => {
  const { queue, batches, release } = open();

  const all = ['1', '2', '3'].map((id) => queue.add('rec_1', [spoken(id)]));
  const other = queue.add('rec_2', [spoken('4')]);
  const before = batches.map(told);
  release();
  await Promise.all([...all, other]);

  expect(before).toEqual(['1', '4']);
  expect(batches.map(told)).toEqual(['1', '4', '2,3']);
});

it('tells the first failure at once, and those that follow within five seconds as one with their number', async () => {
  const { queue, batches, release } = open();
  release();

  for (let count = 1; count <= 1_000; count += 1) void queue.add('rec_1', [failed(String(count))]);
  await jest.advanceTimersByTimeAsync(4_900);
  const soon = batches.map(told);
  await jest.advanceTimersByTimeAsync(100);
  void queue.add('rec_1', [failed('1001')]);
  await jest.advanceTimersByTimeAsync(5_000);

  expect(soon).toEqual(['1 x 1']);
  expect(batches.map(told)).toEqual(['1 x 1', '1000 x 999', '1001 x 1']);
});

it('keeps the order of failures and of all else, which does not wait', async () => {
  const { queue, batches, release } = open();
  release();
  await queue.add('rec_1', [failed('1')]);

  for (const id of ['2', '3']) void queue.add('rec_1', [failed(id)]);
  await queue.add('rec_1', [spoken('4')]);
  for (const id of ['5', '6']) void queue.add('rec_1', [failed(id)]);
  await queue.add('rec_1', [spoken('7')]);

  expect(batches.map(told)).toEqual(['1 x 1', '3 x 2,4', '6 x 2,7']);
});

it('goes on behind events that cannot be stored', async () => {
  const { queue, batches, release } = open([new Error('lost')]);
  release();

  await queue.add('rec_1', [spoken('1')]);
  await queue.add('rec_1', [spoken('2')]);

  expect(batches.map(told)).toEqual(['1', '2']);
});

it('keeps a bounded number of events while storing hangs', async () => {
  const { queue, batches, release } = open();

  const all = Array.from({ length: 5_000 }, (_, index) => queue.add('rec_1', [spoken(String(index))]));
  for (let count = 0; count < 5_000; count += 1) void queue.add('rec_1', [failed(String(count))]);
  release();
  await Promise.all(all);

  expect(batches.map(({ length }) => length)).toEqual([1, 2_001]);
  expect(batches[1]?.at(-1)?.data).toMatchObject({ turns: 5_000 });
});

it('stores what waits before it closes', async () => {
  const { queue, batches, release } = open();
  release();
  await queue.add('rec_1', [failed('1')]);
  void queue.add('rec_1', [failed('2')]);

  await queue.close();

  expect(batches.map(told)).toEqual(['1 x 1', '2 x 1']);
});

/** @param failures what storing fails with, first */
function open(failures: Error[] = []) {
  const batches: (readonly NewLiveEvent[])[] = [];
  const gate = Promise.withResolvers<void>();
  const add = async (_id: string, events: readonly NewLiveEvent[]): Promise<void> => {
    batches.push(events);
    await gate.promise;
    const failure = failures.shift();
    if (failure) throw failure;
  };
  const queue = new LiveEventQueue({ events: { add }, log: silentLog });
  return { queue, batches, release: () => gate.resolve() };
}

function spoken(id: string): NewLiveEvent {
  return { type: 'FINAL', data: { item_id: id } };
}

function failed(id: string): NewLiveEvent {
  return { type: 'STATUS', data: { item_id: id, status: 'failed', turns: 1 } };
}

function told(events: readonly NewLiveEvent[]): string {
  return events.map(({ data }) => (data['turns'] ? `${data['item_id']} x ${data['turns']}` : data['item_id'])).join();
}
