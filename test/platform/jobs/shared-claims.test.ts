import { expect, it } from '@jest/globals';
import { SharedClaims } from '../../../src/platform/jobs/shared-claims.js';

it('asks once where thirty workers ask at once and nothing is due', async () => {
  const asked = claimsOf([]);

  expect(await asked.byWorkers(30)).toEqual(Array.from({ length: 30 }, () => []));
  expect(asked.count).toBe(1);
});

it('gives each job to one worker, and asks once more than there are jobs', async () => {
  const asked = claimsOf(['a', 'b', 'c']);

  const answers = await asked.byWorkers(30);

  expect(answers.flat()).toEqual(['a', 'b', 'c']);
  expect(asked.count).toBe(4);
});

it('asks again for whoever asks after the last claim has begun', async () => {
  const claims = new SharedClaims();
  const first = Promise.withResolvers<string[]>();
  const begun = Promise.withResolvers<void>();
  const early = claims.claim('kind', () => {
    begun.resolve();
    return first.promise;
  });
  await begun.promise;
  const late = claims.claim('kind', async () => ['committed meanwhile']);
  first.resolve([]);

  expect(await early).toEqual([]);
  expect(await late).toEqual(['committed meanwhile']);
});

it('tells all that wait of a failure, and asks again after it', async () => {
  const claims = new SharedClaims();
  let count = 0;
  const fail = async (): Promise<string[]> => {
    count += 1;
    throw new Error('the database is away');
  };

  const failed = await Promise.allSettled(Array.from({ length: 30 }, () => claims.claim('kind', fail)));

  expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
  expect(count).toBe(1);
  expect(await claims.claim('kind', async () => ['a'])).toEqual(['a']);
});

it('keeps claims of other jobs apart', async () => {
  const claims = new SharedClaims();
  const asked = (key: string) => claims.claim(key, async () => [`a job of ${key}`]);

  expect(await Promise.all([asked('one'), asked('two')])).toEqual([['a job of one'], ['a job of two']]);
});

function claimsOf(jobs: string[]) {
  const claims = new SharedClaims();
  const run = async () => {
    asked.count += 1;
    return jobs.splice(0, 1);
  };
  const asked = {
    count: 0,
    byWorkers: (workers: number) => Promise.all(Array.from({ length: workers }, () => claims.claim('kind', run))),
  };
  return asked;
}
