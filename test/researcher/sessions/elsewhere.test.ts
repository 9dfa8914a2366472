import { expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { Job, JobRequest } from '../../../src/platform/jobs/job.types.js';
import { ResearchJobs } from '../../../src/researcher/pipeline/research-jobs.js';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import { addResearchSession } from '../../support/builders/research.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const platform = usePlatform();

it('a session whose texts lie with another process is put back into the queue, in a transaction', async () => {
  const { user } = await addStaffedTenant(platform);
  const sessionId = await addResearchSession(platform, user, { status: 'queued' });
  await platform.query(
    `INSERT INTO research_sources (session_id, id, "position", url, status, mirrors, blob_key)
     VALUES ($1, 'src_1', 1, 'https://example.com/', 'read', '{}', 'elsewhere')`,
    [sessionId],
  );
  const sent: (readonly [kind: string, delaySeconds: number | undefined, isInTransaction: boolean])[] = [];
  const enqueue = async ({ kind, delaySeconds }: JobRequest, tx?: EntityManager): Promise<string> => {
    sent.push([kind, delaySeconds, tx?.queryRunner?.isTransactionActive ?? false]);
    return 'job';
  };
  const { dataSource } = platform.app.database;
  const unused = { record: async () => undefined };
  const jobs = new ResearchJobs({
    dataSource,
    jobs: { enqueue },
    audit: unused,
    rights: { require: async () => undefined },
    snapshots: { isElsewhere: async () => true },
    open: () => Promise.reject(new Error('It is not done here.')),
    changed: () => undefined,
  });
  const [{ run } = { run: 0 }] = await platform.query<{ run: number }>(
    'SELECT run FROM research_sessions WHERE id = $1',
    [sessionId],
  );

  await jobs.handler.run({ payload: { sessionId, run } } as unknown as Job);

  expect(sent).toEqual([['researcher.session', 2, true]]);
});
