import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { openPool, PROBE, trialOf, unaborted } from '../../support/servers/children/probe.js';

test('one user may have so many requests wait, others have theirs, and jobs are not counted', async () => {
  using pool = openPool({ isFair: true });
  const ending = new AbortController();
  const begin = (userId: string, kind: 'request' | 'job') => {
    const turn = { tenantId: 'a', userId, kind } as const;
    const task = { task: trialOf('spin'), input: Readable.from([]), signal: ending.signal, turn };
    return pool.run(PROBE, task).next();
  };
  const held = Array.from({ length: 51 }, () => begin('ann', 'request'));
  expect(pool.waiting).toBe(50);

  await expect(begin('ann', 'request')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
  held.push(begin('bob', 'request'), begin('ann', 'job'));

  ending.abort(new Error('enough'));
  expect((await Promise.allSettled(held)).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(50);
  expect(pool.waiting).toBe(0);
});

test('callers of a fair pool take turns, and the waiting are counted', async () => {
  using pool = openPool({ isFair: true });
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal]);
  const spin = (userId: string): void => {
    const turn = { tenantId: 'a', userId, kind: 'job' } as const;
    const answers = pool.run(PROBE, { task: trialOf('spin'), input: Readable.from([]), signal, turn });
    void answers.next().catch(() => undefined);
  };
  for (let count = 0; count < 5; count += 1) spin('ann');
  await eventually('a job runs', 10, () => pool.busyPids.length === 1);

  const turn = { tenantId: 'b', userId: 'bob', kind: 'request' } as const;
  const task = { task: trialOf('environment'), input: Readable.from([]), signal: unaborted(), turn };
  const answers: unknown[] = [];
  for await (const answer of pool.run(PROBE, task)) answers.push(answer);

  expect(answers).toEqual([{ answer: [] }]);
  expect(pool.waiting).toBe(4);
  ending.abort();
});
