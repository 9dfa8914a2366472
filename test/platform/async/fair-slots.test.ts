import { expect, test } from '@jest/globals';
import { FairSlots } from '../../../src/platform/async/fair-slots.js';

const { signal } = new AbortController();

test('owners take turns, each in its own order', async () => {
  const slots = new FairSlots({ slots: 1, waiting: 10 });
  const order: string[] = [];
  const first = await slots.take('a', signal);
  const work = (owner: string, name: string) =>
    slots.take(owner, signal).then((release) => {
      order.push(name);
      release();
    });

  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1'), work('b', 'b2')];
  first();
  await Promise.all(all);

  expect(order).toEqual(['b1', 'c1', 'a1', 'b2', 'a2', 'a3']);
});

test('one owner has no more than its part', async () => {
  const slots = new FairSlots({ slots: 3, perOwner: 2, waiting: 10 });
  const [first] = await Promise.all([slots.take('a', signal), slots.take('a', signal)]);
  const order: string[] = [];
  const third = slots.take('a', signal).then(() => order.push('a'));

  await slots.take('b', signal).then(() => order.push('b'));
  first();
  await third;

  expect(order).toEqual(['b', 'a']);
});

test('whoever is new comes before those who have had a place, whoever stood there first', async () => {
  const slots = new FairSlots({ slots: 2, perOwner: 1, waiting: 10 });
  const [first] = await Promise.all(['a', 'b'].map((owner) => slots.take(owner, signal)));
  const order: string[] = [];
  const all = ['a', 'b', 'c'].map((owner) => slots.take(owner, signal).then(() => order.push(owner)));

  first?.();
  await Promise.race(all);

  expect(order).toEqual(['c']);
});

test('whoever has no place comes before those who have one', async () => {
  const slots = new FairSlots({ slots: 3, perOwner: 2, waiting: 10 });
  const [first] = await Promise.all(['a', 'a', 'b'].map((owner) => slots.take(owner, signal)));
  const order: string[] = [];
  const all = ['b', 'c'].map((owner) => slots.take(owner, signal).then(() => order.push(owner)));

  first?.();
  await Promise.race(all);

  expect(order).toEqual(['c']);
});

test('no more of one owner wait than may, and others still can', async () => {
  const slots = new FairSlots({ slots: 1, waiting: 1, refusal: () => new RangeError('no more') });
  const release = await slots.take('a', signal);
  const waiting = slots.take('a', signal);

  await expect(slots.take('a', signal)).rejects.toThrow(RangeError);
  const all = [waiting, slots.take('b', signal)].map(async (turn) => (await turn)());
  release();

  expect(await Promise.all(all)).toHaveLength(2);
});

test('whoever leaves leaves nothing behind', async () => {
  const slots = new FairSlots({ slots: 1, waiting: 1, refusal: () => new RangeError('no more') });
  const release = await slots.take('a', signal);
  const leaving = new AbortController();
  const waiting = slots.take('a', leaving.signal);

  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = slots.take('a', signal);
  release();

  await expect(next).resolves.toBeInstanceOf(Function);
});
