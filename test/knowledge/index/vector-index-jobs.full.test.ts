import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IndexBuilder } from '../../../src/knowledge/index/index-builder.js';
import { VECTOR_INDEX_JOB, VectorIndexJobs } from '../../../src/knowledge/index/vector-index-jobs.js';
import { newId, fromUuid } from '../../../src/platform/ids.js';
import { eventually } from '../../support/probes/eventually.js';
import { JobQueues } from '../../support/servers/job-queues.js';
import { onPostgres } from '../../support/servers/services.js';
import { SlowIndexes } from './slow-indexes.js';

onPostgres.describe('the indexes of large bases', () => {
  let [processes, slow]: [JobQueues, SlowIndexes] = [] as never;
  beforeAll(begin);
  afterAll(end);

  it('are not put into the queue before there are enough passages', async () => {
    const id = newId('kix');
    await slow.table(id);
    await slow.query(ADD_FILE, [newId('file'), id]);

    await (await startProcess('first')).enqueueMissing();

    expect(await jobs()).toEqual([]);
  });

  it('are put into the queue once, and built one after the other, while files become ready', async () => {
    const ids = [newId('kix'), newId('kix')];
    const indexes = await Promise.all(ids.map((id) => slow.table(id)));
    const all = await Promise.all(['one', 'two'].map(startProcess));
    const look = () => Promise.all(all.map((one) => one.enqueueMissing()));
    await slow.shut();

    for (const id of [...ids, ...ids, ...ids]) {
      await slow.query(ADD_FILE, [newId('file'), id]);
      await look();
    }
    await Promise.any(indexes.map((index) => slow.building(index)));
    await eventually('the other job is put back', 20, async () =>
      (await jobs()).some(({ state }) => state === 'completed'),
    );
    const sent = await jobs();
    const begun = (await Promise.all(indexes.map((index) => slow.built(index)))).filter(Boolean);
    await slow.open();
    await eventually('all are built', 30, async () => {
      for (const { id, state } of await jobs()) if (state === 'created') await processes.makeDue(fromUuid('job', id));
      return (await approximate()) === ids.length;
    });
    await look();

    expect(
      sent
        .filter(({ state }) => state !== 'completed')
        .map(({ indexId }) => indexId)
        .toSorted(),
    ).toEqual(ids);
    expect(begun).toHaveLength(1);
    expect((await jobs()).every(({ state, retries }) => state === 'completed' && retries === 0)).toBe(true);
    expect(await Promise.all(indexes.map((index) => slow.built(index)))).toEqual(
      ids.map(() => expect.objectContaining({ valid: true })),
    );
  });

  async function begin(): Promise<void> {
    processes = await JobQueues.open(VECTOR_INDEX_JOB);
    slow = await SlowIndexes.start(processes.opened.env.DATABASE_URL ?? '');
  }

  async function end(): Promise<void> {
    await slow.open();
    await slow.close();
    await processes.close();
  }

  /** A process that does the jobs. */
  async function startProcess(processId: string): Promise<VectorIndexJobs> {
    const { database } = processes.opened;
    const parts = {
      dataSource: database.dataSource,
      builder: new IndexBuilder(database, 64),
      isSupported: true,
      jobs: { enqueue: async (...request: Parameters<typeof queue.enqueue>) => queue.enqueue(...request) },
    };
    const made = new VectorIndexJobs(parts);
    const queue = await processes.start(made.handler, { processId });
    return made;
  }

  function jobs(): Promise<{ id: string; state: string; retries: number; indexId: string }[]> {
    return slow.query(JOBS);
  }

  async function approximate(): Promise<number> {
    return (await slow.query('SELECT FROM knowledge_indexes WHERE is_approximate')).length;
  }
});

const ADD_FILE = `
  INSERT INTO knowledge_files (id, base_id, tenant_id, owner_id, filename, mime_type, kind, size_bytes, sha256, blob_key,
    status, pages_failed, chunk_count, progress, metadata, created_at)
  VALUES ($1, $2, 'ten', 'usr', 'file', 'text/plain', 'text', 1, $1, $1, 'ready', '{}', 15000, 1, '{}', now())`;

const JOBS = `
  SELECT id, state, retry_count AS retries, data->'payload'->>'indexId' AS "indexId" FROM jobs.job
  WHERE name = '${VECTOR_INDEX_JOB}' ORDER BY created_on`;
