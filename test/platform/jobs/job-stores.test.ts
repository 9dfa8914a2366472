import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'pg-boss';
import { toUuid } from '../../../src/platform/ids.js';
import { QueueDatabase } from '../../../src/platform/jobs/queue-database.js';
import type { Job } from '../../../src/platform/jobs/job.types.js';
import { createLog } from '../../../src/platform/telemetry/log.js';
import { eventually } from '../../support/probes/eventually.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { JobQueues } from '../../support/servers/job-queues.js';

describe('jobs that need the bytes of files', () => {
  let processes: JobQueues;
  const begun: [store: string, file: unknown, attempt: number][] = [];

  beforeEach(async () => {
    processes = await JobQueues.open();
    begun.length = 0;
  });
  afterEach(() => processes.close());

  it('are done by the process that has them, at the first attempt', async () => {
    const [here, there] = [await startWith('here'), await startWith('there')];
    const files = ['a', 'b', 'c', 'd', 'e', 'f'];
    const storeOf = (file: string) => (files.indexOf(file) % 2 === 0 ? 'here' : 'there');
    for (const file of files) await processes.addFile(file, storeOf(file));

    const sent = files.map((file, index) => (index < 3 ? there : here).enqueue(jobFor(file)));
    for (const id of await Promise.all(sent)) await processes.untilStatus(id, 'completed');

    expect(begun.toSorted()).toEqual(files.map((file) => [storeOf(file), file, 1]).toSorted());
  });

  it('wait for that process while others are idle, and count no attempt', async () => {
    const here = await startWith('here');
    await processes.addFile('theirs', 'there');
    const waiting = await here.enqueue(jobFor('theirs'));
    const other = await here.enqueue({ kind: 'work', payload: { file: 'none' } });
    await processes.untilStatus(other, 'completed');

    const before = await processes.records.find(waiting);
    await startWith('there');
    await processes.untilStatus(waiting, 'completed');

    expect(before).toMatchObject({ status: 'waiting', attempts: 0, error: null });
    expect(begun).toEqual([
      ['here', 'none', 1],
      ['there', 'theirs', 1],
    ]);
  });

  it('are left to that process where they turn out to need a file, as if they had not begun', async () => {
    await processes.addFile('theirs', 'there');
    const here = await startWith('here', (job) => job.requireFile('theirs'));
    const id = await here.enqueue({ kind: 'work', payload: { file: 'theirs' } });
    await eventually('it was begun', 10, () => begun.length === 1);
    const left = await eventually('it waits again', 10, async () => {
      const job = await processes.records.find(id);
      return job?.status === 'waiting' && job;
    });

    await startWith('there');
    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');

    expect(left).toMatchObject({ attempts: 0, error: null });
    expect(begun).toEqual([
      ['here', 'theirs', 1],
      ['there', 'theirs', 1],
    ]);
  });

  it('are not held back by a process whose places for their user are taken', async () => {
    const end = Promise.withResolvers<void>();
    const limits = { atOnce: 3, atOnceForTenant: 3, atOnceForUser: 1 };
    const here = await processes.start({ run: () => end.promise, ...limits }, { processId: 'here', storeId: 'here' });
    await processes.addFile('theirs', 'there');
    const owner = { userId: 'usr_1', tenantId: 'ten_1' };
    const first = await here.enqueue({ ...jobFor('none'), owner });
    await processes.untilStatus(first, 'running');
    const theirs = await here.enqueue({ ...jobFor('theirs'), owner });
    for (let sent = 0; sent < 2; sent += 1) await here.enqueue({ ...jobFor('none'), owner });

    const held = await eventually('two are held back', 10, async () => {
      const rows = await processes.dataSource.query<{ id: string }[]>(
        "SELECT id FROM jobs.job WHERE data ? 'isHeldBack'",
      );
      return rows.length > 1 && rows.map(({ id }) => id);
    });
    end.resolve();

    expect(held).not.toContain(toUuid(theirs));
  });

  it('are done by any process when the file is gone, and by the one to which it was moved', async () => {
    const here = await startWith('here');
    for (const file of ['gone', 'moved']) await processes.addFile(file, 'there');
    const ids = [await here.enqueue(jobFor('gone')), await here.enqueue(jobFor('moved'))];

    await processes.dataSource.query("UPDATE blobs SET state = 'released' WHERE key = 'gone'");
    await processes.dataSource.query("UPDATE blobs SET store = 'here' WHERE key = 'moved'");
    await runTask(here, 'updating the file stores of waiting jobs');
    for (const id of ids) await processes.untilStatus(id, 'completed');

    expect(begun.map(([store, file]) => [store, file]).toSorted()).toEqual([
      ['here', 'gone'],
      ['here', 'moved'],
    ]);
  });

  it('are told of where no process has swept their store for a while, until one does', async () => {
    const lines: string[] = [];
    const here = await startWith(
      'here',
      undefined,
      createLog('info', { write: (line: string) => void lines.push(line) }),
    );
    await processes.addFile('theirs', 'there');
    await here.enqueue(jobFor('theirs'));
    const states = [await look()];
    await processes.dataSource.query("UPDATE jobs.job SET created_on = now() - interval '1 minute'");
    states.push(await look(), await look());
    await processes.dataSource.query(
      "INSERT INTO blob_sweeps (store, process_id, claimed_until) VALUES ('there', 'that', now() + interval '1 minute')",
    );
    states.push(await look());

    const told = [{ labels: { kind: 'work' }, value: 1 }];
    expect(states).toEqual([
      ['ok', []],
      ['degraded', told],
      ['degraded', told],
      ['ok', []],
    ]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 40, stores: ['there'], msg: expect.stringContaining('start the server that has them') },
      { level: 30 },
    ]);

    async function look() {
      await runTask(here, 'counting jobs');
      return [here.check(), here.gauges.find(({ name }) => name === 'platform_jobs_without_store')?.read()];
    }
  });

  it('are forgotten a day after they were completed, as all jobs are', async () => {
    const here = await startWith('here');
    const [old, fresh] = [await here.enqueue(jobFor('a')), await here.enqueue(jobFor('b'))];
    for (const id of [old, fresh]) await processes.untilStatus(id, 'completed');
    await processes.dataSource.query(
      "UPDATE jobs.job SET completed_on = now() - interval '25 hours' WHERE data->'payload'->>'file' = 'a'",
    );

    await runTask(here, 'forgetting completed jobs');

    expect(await processes.records.find(old)).toBeUndefined();
    expect(await processes.records.find(fresh)).toMatchObject({ status: 'completed' });
  });

  function startWith(storeId: string, run?: (job: Job) => Promise<void>, log = silentLog) {
    const handler = async (job: Job): Promise<void> => {
      begun.push([storeId, job.payload.file, job.attempt]);
      await run?.(job);
    };
    return processes.start(handler, { processId: storeId, storeId, log });
  }

  async function runTask({ tasks }: Awaited<ReturnType<typeof startWith>>, name: string): Promise<void> {
    await tasks.find((task) => task.name === name)?.run();
  }
});

it('a claim of the queue that cannot be narrowed to the files of a process is refused', async () => {
  const db: Db = { executeSql: async () => ({ rows: [] }) };
  const blobs = { storeId: async () => 'here', storeOf: async () => undefined };
  const database = new QueueDatabase({ db, blobs, log: silentLog });

  await expect(database.executeSql("UPDATE jobs.job SET state = 'active'")).rejects.toThrow('pg-boss');
});

function jobFor(file: string) {
  return { kind: 'work', payload: { file }, blobKey: file };
}
