import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toUuid } from '../../../src/platform/ids.js';
import type { JobHandler } from '../../../src/platform/jobs/job.types.js';
import type { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { eventually } from '../../support/probes/eventually.js';
import { JobQueues } from '../../support/servers/job-queues.js';
import { closedGate } from '../../support/servers/searched-directory.js';
import type { Gate } from '../../support/servers/searched-directory.js';

describe('a job whose processes die', () => {
  let processes: JobQueues;
  let over: Gate;
  beforeEach(async () => {
    over = closedGate();
    processes = await JobQueues.open();
  });
  afterEach(() => {
    over.open();
    return processes.close();
  });

  it('is given up with the fourth, and done again when a sysadmin says so', async () => {
    let id = '';
    for (let n = 1; n <= 4; n += 1) {
      const { queue, begun } = await startHanging(`dead${n}`);
      id ||= await queue.enqueue({ kind: 'work', payload: {} });
      if (n > 1) await processes.makeDue(id);
      await eventually('the job runs', 20, begun);
      await processes.freeze(`dead${n}`);
      await recover();
    }

    const givenUp = await processes.records.find(id);
    const last = await processes.start(async () => undefined, { processId: 'last' });
    const retried = await processes.dataSource.transaction((tx) => last.retry(tx, 'work', id));
    await processes.untilStatus(id, 'completed');

    const error = '4 processes died while they did this job.';
    expect(givenUp).toMatchObject({ status: 'failed', attempts: 4, error });
    expect(retried).toBe(true);
  });

  it('is given up also where nobody noticed the death before the job was taken again', async () => {
    let attempts = 0;
    const queue = await processes.start(async () => void (attempts += 1));
    await queue.stop();
    const id = await queue.enqueue({ kind: 'work', payload: {} });
    const data = { payload: {}, deaths: [0, 1, 2] };
    const sql = "UPDATE jobs.job SET state = 'retry', started_on = now(), retry_count = 3, data = $2 WHERE id = $1";
    await processes.dataSource.query(sql, [toUuid(id), data]);
    const lease = "INSERT INTO job_leases (job_id, kind, process_id, retry_count) VALUES ($1, 'work', 'gone', 3)";
    await processes.dataSource.query(lease, [toUuid(id)]);

    await processes.start(async () => void (attempts += 1), { processId: 'next' });
    await processes.untilStatus(id, 'failed');

    expect(attempts).toBe(0);
  });

  it('is done by another one where the first died before it had told that it does the job', async () => {
    let attempts = 0;
    const queue = await processes.start(async () => undefined);
    await queue.stop();
    const id = await queue.enqueue({ kind: 'work', payload: {} });
    const sql = `
      UPDATE jobs.job SET state = 'active', started_on = now() - interval '1 minute',
        heartbeat_on = now() - interval '1 minute' WHERE id = $1`;
    await processes.dataSource.query(sql, [toUuid(id)]);

    await processes.start(async () => void (attempts += 1), { processId: 'next' });
    await recover();
    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');

    expect(attempts).toBe(1);
  });

  it('is done however often they are stopped in order', async () => {
    let id = '';
    for (let n = 1; n <= 5; n += 1) {
      const { queue, begun } = await startHanging(`stopped${n}`);
      id ||= await queue.enqueue({ kind: 'work', payload: {} });
      if (n > 1) await processes.makeDue(id);
      await eventually('the job runs', 20, begun);
      await queue.stop();
      await processes.freeze(`stopped${n}`);
    }

    await processes.start(async () => undefined, { processId: 'last' });
    await recover();
    await processes.makeDue(id);
    await processes.untilStatus(id, 'completed');

    expect(await processes.records.find(id)).toMatchObject({ attempts: 6 });
  });

  /** A process that begins each job, and does not end it while the test lasts. */
  async function startHanging(processId: string): Promise<{ queue: JobQueue; begun: () => boolean }> {
    let count = 0;
    const hang: JobHandler = () => {
      count += 1;
      return over.passed;
    };
    return { queue: await processes.start(hang, { processId }), begun: () => count > 0 };
  }

  /** Lets a process that takes no jobs itself find what the dead have left. */
  async function recover(): Promise<void> {
    const queue = await processes.start(async () => undefined, { processId: 'finder' });
    await processes.freeze('finder');
    for (const task of queue.tasks) await task.run();
    await queue.stop();
  }
});
