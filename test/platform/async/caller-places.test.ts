import { expect, test } from '@jest/globals';
import { CallerPlaces } from '../../../src/platform/async/caller-places.js';

const ada = { tenantId: 'one', userId: 'ada' };
const bob = { tenantId: 'one', userId: 'bob' };
const cleo = { tenantId: 'one', userId: 'cleo' };
const dan = { tenantId: 'two', userId: 'dan' };

test('work runs in the places of its process, its tenant and its user', async () => {
  const places = new CallerPlaces({ name: 'works', places: 3, perTenant: 2, perUser: 1, waiting: 9 });
  const [first] = await Promise.all([places.take(ada), places.take(bob)]);
  const order: string[] = [];
  const others = [ada, cleo].map((one) => places.take(one).then(() => order.push(one.userId)));

  await places.take(dan).then(() => order.push('dan'));
  first[Symbol.dispose]();
  await Promise.race(others);

  expect([order, places.taken, places.waiting]).toEqual([['dan', 'cleo'], 3, 1]);
});

test('whoever has too many that wait is refused, and others are not', async () => {
  const places = new CallerPlaces({ name: 'works', places: 1, perUser: 1, waiting: 1 });
  const held = await places.take(dan);
  const waiting = [places.take(dan), places.take(ada)];

  const refused = await places.take(dan).catch((error: unknown) => error);
  const patient = places.take({ ...dan, isPatient: true });
  held[Symbol.dispose]();
  for (const place of [waiting[1], waiting[0], patient]) (await place)?.[Symbol.dispose]();

  expect(refused).toMatchObject({ status: 429, message: expect.stringMatching(/^Too many of your works wait/) });
  expect((refused as { headers: object }).headers).toHaveProperty('retry-after');
  expect([places.taken, places.waiting]).toEqual([0, 0]);
});

test.each([
  ['its own places', dan, 429],
  ['those of its tenant', { tenantId: 'two', userId: 'eve' }, 429],
  ['those of others', ada, 503],
])('whoever waits too long for %s is told to come again', async (_whose, seeker, status) => {
  const places = new CallerPlaces({ name: 'works', places: 1, perUser: 1, waiting: 9, waitMs: 1 });
  const held = await places.take(dan);

  const error = await places.take(seeker).catch((reason: unknown) => reason);
  for (let times = 0; times < 2; times += 1) held[Symbol.dispose]();

  expect(error).toMatchObject({ status, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  expect([places.taken, places.waiting]).toEqual([0, 0]);
  await places.take(seeker);
});

test('whoever leaves while it waits takes nothing, and work that fails gives its place back', async () => {
  const places = new CallerPlaces({ name: 'works', places: 1, perUser: 1, waiting: 9 });
  const held = await places.take(dan);
  const leaving = new AbortController();
  const left = places.take({ ...ada, signal: leaving.signal });
  const reason = new Error('gone');

  leaving.abort(reason);
  await expect(left).rejects.toBe(reason);
  held[Symbol.dispose]();
  await expect(places.run(ada, () => Promise.reject(reason))).rejects.toBe(reason);

  expect([places.taken, places.waiting]).toEqual([0, 0]);
});
