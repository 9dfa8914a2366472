import { once } from 'node:events';
import { expect, it, jest } from '@jest/globals';
import { JobWatch } from '../../../src/platform/jobs/job-watch.js';

it('tells why a job ends, also behind a look that has failed', async () => {
  const reason = new Error('It was deleted.');
  const looks = [Promise.resolve(undefined), Promise.reject(new Error('no database')), Promise.resolve(reason)];
  const watch = new JobWatch(() => looks.shift() ?? Promise.resolve(undefined));

  await once(watch.ended, 'abort');
  watch.close();

  expect(watch.ended.reason).toBe(reason);
  expect(looks).toEqual([]);
});

it('looks at once where it is asked to', async () => {
  const reason = new Error('It was deleted.');
  const watch = new JobWatch(() => Promise.resolve(reason));

  await expect(watch.requireOpen()).rejects.toBe(reason);
  watch.close();
});

it('ends nothing once it is closed', async () => {
  jest.useFakeTimers();
  let looks = 0;
  const watch = new JobWatch(() => {
    looks += 1;
    // It is closed while it looks.
    watch.close();
    return Promise.resolve(new Error('It was deleted.'));
  });
  await jest.advanceTimersByTimeAsync(60_000);
  jest.useRealTimers();

  expect(watch.ended.aborted).toBe(false);
  expect(looks).toBe(1);
});
