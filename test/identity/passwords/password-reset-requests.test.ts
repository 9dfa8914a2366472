import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';

let mailed: MailedPlatform;
beforeAll(async () => void (mailed = await MailedPlatform.start()));
afterAll(() => mailed.close());

it('a request for a new password is recorded if somebody will answer it, and not otherwise', async () => {
  const enqueue = jest.spyOn(JobQueue.prototype, 'enqueue').mockRejectedValueOnce(new Error('no queue'));
  const ask = () =>
    mailed.platform.request('POST', '/v1/auth/password-reset-request', { body: { email: 'ann@people.test' } });

  const lost = await ask();
  const before = await auditRows(mailed.platform, "action = 'password.request_reset'");
  enqueue.mockRestore();
  const taken = await ask();

  const after = await auditRows(mailed.platform, "action = 'password.request_reset'");
  expect([lost.status, before]).toEqual([500, []]);
  expect([taken.status, after.length]).toEqual([200, 1]);
});
