import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { toUuid } from '../../../src/platform/ids.js';
import { makeJobTables } from '../../../src/platform/jobs/job-tables.js';
import type { Job } from '../../../src/platform/jobs/job.types.js';
import { eventually } from '../../support/probes/eventually.js';
import { JobQueues } from '../../support/servers/job-queues.js';

const OWNER = { userId: 'usr_1', tenantId: 'ten_1' };

describe('the job queue', () => {
  let processes: JobQueues;

  beforeEach(async () => {
    processes = await JobQueues.open();
  });
  afterEach(() => processes.close());

  it('does a job once, with its payload, owner and id', async () => {
    const done: Job[] = [];
    const queue = await processes.start(async (job) => void done.push(job));

    const id = await queue.enqueue({ kind: 'work', payload: { text: 'hello' }, owner: OWNER });
    await processes.untilStatus(id, 'completed');

    expect(done).toHaveLength(1);
    expect(done[0]).toMatchObject({ id, payload: { text: 'hello' }, owner: OWNER, attempt: 1 });
    expect(await processes.records.find(id)).toMatchObject({
      id,
      kind: 'work',
      owner: OWNER,
      attempts: 1,
      error: null,
    });
    expect(queue.check()).toBe('ok');
  });

  it('does a job when its transaction is committed, and never where it is rolled back', async () => {
    const done: unknown[] = [];
    const queue = await processes.start(async ({ payload }) => void done.push(payload.n));
    const { dataSource } = processes;

    const rolledBack = dataSource.transaction(async (tx) => {
      await queue.enqueue({ kind: 'work', payload: { n: 1 } }, tx);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    const id = await dataSource.transaction((tx) => queue.enqueue({ kind: 'work', payload: { n: 2 } }, tx));
    await processes.untilStatus(id, 'completed');

    expect(done).toEqual([2]);
  });

  it('does those with a higher priority first', async () => {
    const done: unknown[] = [];
    const first = Promise.withResolvers<void>();
    const run = async ({ payload }: Job) => {
      done.push(payload.n);
      if (payload.n === 'first') await first.promise;
    };
    const queue = await processes.start({ run, atOnce: 1, atOnceForTenant: 1 });
    const begin = (n: string, priority?: number) => queue.enqueue({ kind: 'work', payload: { n }, priority });
    await begin('first');
    await eventually('the first one runs', 20, async () => done.length === 1);
    await begin('third', -1);
    const last = await begin('last', -2);
    await begin('second');

    first.resolve();
    await processes.untilStatus(last, 'completed');

    expect(done).toEqual(['first', 'second', 'third', 'last']);
  });

  it('tries a job again that failed, and tells why without what the error knows', async () => {
    const attempts: number[] = [];
    const queue = await processes.start(async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new TypeError('a secret prompt');
    });

    const id = await queue.enqueue({ kind: 'work', payload: {} });
    await processes.untilStatus(id, 'retrying');
    const waiting = await processes.records.find(id);
    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');

    expect(attempts).toEqual([1, 2]);
    expect(waiting).toMatchObject({ attempts: 1, maxAttempts: 9, error: 'TypeError', runAt: expect.any(Date) });
  });

  it('does nothing about a user who was deleted, and forgets what it was to do', async () => {
    const done: unknown[] = [];
    const isKnown = async (userId: string) => userId !== 'usr_gone';
    const queue = await processes.start(async (job) => void done.push(job.payload), { isKnown });

    await queue.enqueue({ kind: 'work', payload: { to: 'gone' }, about: 'usr_gone' });
    await queue.enqueue({ kind: 'work', payload: { to: 'here' }, about: 'usr_here' });
    await eventually('one is done', 10, () => done.length > 0);
    const left = await eventually('both are over', 10, async () => {
      for (const task of queue.tasks) await task.run();
      const rows = await processes.dataSource.query<{ data: object }[]>(
        "SELECT data FROM jobs.job WHERE name = 'work'",
      );
      return rows.every(({ data }) => !('payload' in data)) && rows;
    });

    expect(done).toEqual([{ to: 'here' }]);
    expect(JSON.stringify(left)).not.toMatch(/gone|here/);
  });

  it('does no job for a user who may not sign in any more', async () => {
    const done: unknown[] = [];
    const permits = async ({ userId }: { userId: string }) => userId !== OWNER.userId;
    const queue = await processes.start(async (job) => void done.push(job), { permits });

    const id = await queue.enqueue({ kind: 'work', payload: {}, owner: OWNER });
    await processes.untilStatus(id, 'cancelled');

    expect(done).toEqual([]);
  });

  it('leaves a worker to others, however many jobs one tenant has', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const queue = await processes.start(({ owner }) => (owner?.tenantId === OWNER.tenantId ? held : Promise.resolve()));

    for (let n = 0; n < 10; n += 1) await queue.enqueue({ kind: 'work', payload: { n }, owner: OWNER });
    const other = await queue.enqueue({ kind: 'work', payload: {}, owner: { userId: 'usr_2', tenantId: 'ten_2' } });
    await processes.untilStatus(other, 'completed');
    const running = await processes.records.count({ status: 'running' }, 100);
    release();

    expect(running).toBeGreaterThan(0);
    expect(running).toBeLessThan(10);
  });

  it('does two jobs of a user at once, while all of its colleagues have theirs done, and the next when one is', async () => {
    const gates = new Map<number, PromiseWithResolvers<void>>();
    const run = async ({ payload: { n } }: Job): Promise<void> => {
      if (n === -1) return;
      const gate = Promise.withResolvers<void>();
      gates.set(n as number, gate);
      await gate.promise;
    };
    const queue = await processes.start({ run, atOnce: 6, atOnceForTenant: 4, atOnceForUser: 2 });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await queue.enqueue({ kind: 'work', payload: { n }, owner: OWNER }));
    await eventually('two are begun', 20, () => gates.size === 2);

    const colleagues = [];
    for (let n = 0; n < 10; n += 1) {
      const owner = { ...OWNER, userId: `usr_colleague${n}` };
      colleagues.push(await queue.enqueue({ kind: 'work', payload: { n: -1 }, owner }));
    }
    for (const id of colleagues) await processes.untilStatus(id, 'completed');

    expect(gates.size).toBe(2);
    for (let ended = 1; ended <= 6; ended += 1) {
      await eventually('the next is begun', 8, () => gates.size >= Math.min(6, ended + 1));
      expect(gates.size).toBeLessThanOrEqual(ended + 1);
      [...gates.values()][ended - 1]?.resolve();
    }
    for (const id of ids) await processes.untilStatus(id, 'completed');
  });

  it('begins the next job of a tenant as soon as one is done', async () => {
    const jobs = 50;
    let done = 0;
    const wake = jest.spyOn(PgBoss.prototype, 'notifyWorker');
    const wakes: number[] = [];
    const run = async () => {
      wakes.push(wake.mock.calls.length);
      // Meanwhile each worker that looks for a job finds none that it may take.
      for (let turns = 0; turns < 100; turns += 1) await setImmediate();
      done += 1;
    };
    const queue = await processes.start({ run, atOnce: 2, atOnceForTenant: 1 });

    await processes.dataSource.transaction(async (tx) => {
      for (let n = 0; n < jobs; n += 1) await queue.enqueue({ kind: 'work', payload: { n }, owner: OWNER }, tx);
    });

    await eventually('all are done', 120, () => done === jobs);
    wake.mockRestore();

    // Of the workers, by the end of the job before: without, each next job would begin by a poll.
    expect(wakes.slice(1).filter((count, at) => count > (wakes[at] ?? 0))).toHaveLength(jobs - 1);
  });

  it('takes over the jobs of a process that died, and lets it write no more', async () => {
    let held: Job | undefined;
    const hold = (job: Job) => {
      held = job;
      return new Promise<void>(() => undefined);
    };
    const dead = await processes.start(hold, { processId: 'dead' });
    const id = await dead.enqueue({ kind: 'work', payload: {} });
    await eventually('the job runs', 20, async () => held !== undefined);
    await processes.freeze('dead');

    const other = await processes.start(async () => undefined, { processId: 'other' });
    for (const task of other.tasks) await task.run();
    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');
    const late = held?.transaction(async (tx) => tx.query('SELECT 1'));

    await expect(late).rejects.toThrow('taken this job over');
    expect(await processes.records.find(id)).toMatchObject({ attempts: 2 });
  });

  it('lists jobs by status and page, tries a failed one again, and deletes one', async () => {
    const queue = await processes.start(async () => undefined);
    await queue.stop();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await queue.enqueue({ kind: 'work', payload: { n } }));
    // Those of one millisecond are in no order.
    ids.sort();
    await processes.exhaust(ids[1] as string);

    const all = await processes.records.list({}, 10, undefined, 'asc');
    const failed = await processes.records.list({ status: 'failed' }, 10, undefined, 'desc');
    const behind = await processes.records.list({}, 1, ids[0], 'asc');
    const retried = await processes.dataSource.transaction((tx) => queue.retry(tx, 'work', ids[1] as string));
    const notRetried = await processes.dataSource.transaction((tx) => queue.retry(tx, 'work', ids[0] as string));
    const deleted = await processes.dataSource.transaction((tx) => queue.delete(tx, 'work', ids[2] as string));

    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(failed.map(({ id }) => id)).toEqual([ids[1]]);
    expect(behind.map(({ id }) => id)).toEqual([ids[1]]);
    expect([retried, notRetried, deleted]).toEqual([true, false, true]);
    expect(await processes.records.find(ids[2] as string)).toBeUndefined();
  });

  it('does a job again whose end it could not write', async () => {
    const attempts: number[] = [];
    const queue = await processes.start(async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('the database was away');
    });
    const id = await queue.enqueue({ kind: 'work', payload: {} });
    await processes.untilStatus(id, 'retrying');
    const sql = "INSERT INTO job_leases (job_id, kind, process_id, retry_count) VALUES ($1, 'work', 'this', 0)";
    await processes.dataSource.query(sql, [toUuid(id)]);

    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');

    expect(attempts).toEqual([1, 2]);
  });

  it('is made once where many processes start at the same moment', async () => {
    await processes.dataSource.query('DROP SCHEMA jobs CASCADE');

    await Promise.all(Array.from({ length: 5 }, () => makeJobTables(processes.dataSource)));

    expect(await processes.records.list({}, 1, undefined, 'asc')).toEqual([]);
  });

  it('tells those who watch a job how far it is', async () => {
    const heard: unknown[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const queue = await processes.start(async (job) => {
      await begun;
      job.report({ done: 1, total: 2 });
    });

    const id = await queue.enqueue({ kind: 'work', payload: {} });
    const stop = queue.watch(id, (progress) => heard.push(progress));
    begin();
    await processes.untilStatus(id, 'completed');
    stop();

    expect(heard).toEqual([{ done: 1, total: 2 }]);
  });
});
