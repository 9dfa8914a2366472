import { expect, it } from '@jest/globals';
import { inTurns } from '../../../src/translation/catalog/in-turns.js';
import { TenantTurns } from '../../../src/translation/catalog/tenant-turns.js';

it('lets others have their turn before a list and after every 250 of its items', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const turns = new TenantTurns();
  const counted = countTurns();

  const list = await inTurns(items, () => turns.next('one'));
  const first = counted.count;
  const seen = await Promise.all(list.map((item) => item.then(() => counted.count)));
  counted.stop();

  expect(await Promise.all(list)).toEqual(items);
  expect(first).toBeGreaterThan(0);
  expect([...Map.groupBy(seen, (count) => count).values()].map(({ length }) => length)).toEqual([250, 250, 250, 250]);
});

it('gives a tenant who asks for much no more turns than one who asks for little', async () => {
  const turns = new TenantTurns();
  const order: string[] = [];
  const take = (tenantId: string) => turns.next(tenantId).then(() => void order.push(tenantId));

  const much = Array.from({ length: 50 }, () => take('much'));
  await Promise.all([take('little'), take('little')]);
  const before = order.filter((tenantId) => tenantId === 'much').length;
  await Promise.all(much);

  expect(before).toBeLessThanOrEqual(3);
  expect(order).toHaveLength(52);
});

/** Counts how often the event loop has gone round. */
function countTurns(): { readonly count: number; stop(): void } {
  const counted = { count: 0, isOver: false, stop: () => void (counted.isOver = true) };
  const next = (): void => {
    counted.count += 1;
    if (!counted.isOver) setImmediate(next);
  };
  setImmediate(next);
  return counted;
}
