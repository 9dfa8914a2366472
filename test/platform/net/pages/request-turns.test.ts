import { expect, test, jest } from '@jest/globals';
import { RequestTurns } from '../../../../src/platform/net/pages/request-turns.js';

const { signal } = new AbortController();

test('whoever waits for a place holds no host meanwhile', async () => {
  const turns = new RequestTurns({ places: 3, perOwner: 2, waiting: 10, waitingForHost: 10 });
  const [first] = await Promise.all([turns.take('x', 'a', signal), turns.take('y', 'a', signal)]);
  const waiting = turns.take('popular', 'a', signal);

  const endOther = await turns.take('popular', 'b', signal);
  first();
  endOther();

  await expect(waiting).resolves.toBeInstanceOf(Function);
});

test('whoever waits for a host, or for its pause, holds no place meanwhile', async () => {
  const turns = new RequestTurns({ places: 2, perOwner: 2, waiting: 10, waitingForHost: 10 });
  turns.pause('later', 50);
  const end = await turns.take('x', 'a', signal);
  const waiting = [turns.take('x', 'a', signal), turns.take('later', 'a', signal)];

  const endOther = await turns.take('y', 'b', signal);
  end();
  endOther();

  expect(await Promise.all(waiting)).toHaveLength(2);
});

test('a host has its pause between two requests', async () => {
  jest.useFakeTimers({ now: 0 });
  const turns = new RequestTurns({ places: 2, perOwner: 2, waiting: 10, waitingForHost: 10 });
  turns.pause('x', 300);
  const order: string[] = [];
  const taken = turns.take('x', 'a', signal).then(() => order.push('taken'));

  await jest.advanceTimersByTimeAsync(299);
  order.push('after 299 ms');
  await jest.advanceTimersByTimeAsync(1);
  await taken;
  jest.useRealTimers();

  expect(order).toEqual(['after 299 ms', 'taken']);
});

test('owners take turns at a host, each in its own order', async () => {
  const turns = new RequestTurns({ places: 9, perOwner: 9, waiting: 10, waitingForHost: 10 });
  const order: string[] = [];
  const first = await turns.take('x', 'a', signal);

  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => work(turns, 'x', name, order));
  first();
  await Promise.all(all);

  expect(order).toEqual(['b1', 'c1', 'a1', 'b2', 'a2', 'a3']);
});

test('owners take turns for places', async () => {
  const turns = new RequestTurns({ places: 1, perOwner: 1, waiting: 10, waitingForHost: 10 });
  const order: string[] = [];
  const first = await turns.take('x', 'z', signal);

  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => work(turns, `host of ${name}`, name, order));
  first();
  await Promise.all(all);

  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an owner without a place is passed over where it would be next at a host', async () => {
  const turns = new RequestTurns({ places: 3, perOwner: 1, waiting: 10, waitingForHost: 10 });
  const endOther = await turns.take('x', 'c', signal);
  await turns.take('y', 'a', signal);
  const waiting = [turns.take('x', 'a', signal), turns.take('x', 'b', signal)];

  endOther();

  await expect(Promise.race(waiting.map((turn, at) => turn.then(() => at)))).resolves.toBe(1);
});

test('nobody waits for a host that wants to be left alone for longer', async () => {
  const turns = new RequestTurns({ places: 3, perOwner: 3, waiting: 10, waitingForHost: 10 });
  const end = await turns.take('x', 'a', signal);
  const waiting = turns.take('x', 'b', signal);

  turns.pause('x', 3_600_000);
  end();

  await expect(waiting).rejects.toMatchObject({ reason: 'host_busy' });
  await expect(turns.take('x', 'c', signal)).rejects.toMatchObject({ reason: 'host_busy' });
});

test.each([
  ['for one host', 'x', { waiting: 9, waitingForHost: 2 }],
  ['in all', 'z', { waiting: 2, waitingForHost: 9 }],
])('no more of one owner wait %s than may, and others still can', async (_, third, limits) => {
  const turns = new RequestTurns({ places: 1, perOwner: 1, ...limits });
  const end = await turns.take('x', 'a', signal);
  const waiting = [turns.take('x', 'a', signal), turns.take(third === 'x' ? 'x' : 'y', 'a', signal)];

  await expect(turns.take(third, 'a', signal)).rejects.toMatchObject({ reason: 'host_busy' });
  const all = [...waiting, turns.take(third, 'b', signal)].map(async (turn) => (await turn)());
  end();

  expect(await Promise.all(all)).toHaveLength(3);
});

test('whoever leaves leaves nothing behind', async () => {
  const turns = new RequestTurns({ places: 1, perOwner: 1, waiting: 1, waitingForHost: 1 });
  const end = await turns.take('x', 'a', signal);
  const leaving = new AbortController();
  const waiting = turns.take('x', 'a', leaving.signal);

  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = turns.take('x', 'a', signal);
  end();

  await expect(next).resolves.toBeInstanceOf(Function);
});

/** Takes a turn for the owner that the first letter of the name is, and ends it at once. */
async function work(turns: RequestTurns, host: string, name: string, order: string[]): Promise<void> {
  const end = await turns.take(host, name.slice(0, 1), signal);
  order.push(name);
  end();
}
