import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addTenant } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import { MailServer } from '../support/servers/mail-server.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Client, Platform } from '../support/servers/platform.js';

const JOBS = '/v1/admin/jobs';
const MAIL = { to: 'ann@example.test', subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };

describe('jobs', () => {
  let server: MailServer;
  let platform: Platform;
  let sysadmin: Client;

  beforeAll(async () => {
    server = await MailServer.start();
    platform = await startPlatform({ SMTP_URL: server.url });
    sysadmin = platform.as((await platform.login()).access_token);
  });
  afterAll(() => Promise.all([platform.close(), server.close()]));

  it('are shown to a sysadmin, who can try them again and delete them', async () => {
    const [first, second] = [await failedMail(), await failedMail()];

    const list = await sysadmin.get(`${JOBS}?status=failed&kind=mail&order=asc&limit=1`);
    const retried = await sysadmin.post(`${JOBS}/${first}/retry`);
    await eventually('the mail is sent', 10, () => server.mails.length === 1);
    const again = await eventually('the job is completed', 10, async () => {
      const { body } = await sysadmin.get(`${JOBS}?status=completed`);
      return (
        body.data.some(({ id }: { id: string }) => id === first) && (await sysadmin.post(`${JOBS}/${first}/retry`))
      );
    });
    const deleted = await sysadmin.delete(`${JOBS}/${second}`);
    const gone = await sysadmin.delete(`${JOBS}/${second}`);

    expect(list.body).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) });
    expect(list.body.data).toEqual([
      {
        id: first,
        object: 'job',
        kind: 'mail',
        status: 'failed',
        tenant_id: null,
        user_id: null,
        attempts: 9,
        max_attempts: 9,
        error: 'Error EMESSAGE',
        created_at: expect.any(String),
        started_at: expect.any(String),
        finished_at: expect.any(String),
        run_at: null,
      },
    ]);
    expect([retried.status, again.status, again.body.error.code]).toEqual([200, 409, 'conflict']);
    expect([deleted.status, gone.status]).toEqual([204, 404]);
  });

  it.each([
    ['POST', '/retry', 'retry'],
    ['DELETE', '', 'delete'],
  ])('stay as they are where the audit log does not take what is done: %s', async (method, path, verb) => {
    const id = await failedMail();
    await platform.query(
      `ALTER TABLE audit_records ADD CONSTRAINT audit_is_full CHECK (action <> 'job.${verb}') NOT VALID`,
    );

    const { status } = await sysadmin.request(method, `${JOBS}/${id}${path}`);
    await platform.query('ALTER TABLE audit_records DROP CONSTRAINT audit_is_full');
    const { body } = await sysadmin.get(`${JOBS}?status=failed`);

    expect(status).toBe(500);
    expect(body.data.map((job: { id: string }) => job.id)).toContain(id);
  });

  it.each([
    ['GET', '', { status: 'nonsense' }],
    ['POST', '/job_nonsense/retry', {}],
    ['DELETE', '/job_01h45ytscbebyvny4gc8cr8ma2', {}],
    ['GET', '', { after: Buffer.from('1 x').toString('base64url') }],
    ['GET', '', { after: Buffer.from('job_zzzzzzzzzzzzzzzzzzzzzzzzzz').toString('base64url') }],
  ])('that make no sense are refused: %s %s', async (method, path, query) => {
    const { status } = await sysadmin.request(method, `${JOBS}${path}?${new URLSearchParams(query)}`);

    expect(status).toBe(method === 'GET' ? 400 : 404);
  });

  it('are nobody else’s business', async () => {
    const { token } = await addSignedInAdmin(platform, await addTenant(platform));

    const admin = await platform.as(token).get(JOBS);
    const anonymous = await platform.request('GET', JOBS);

    expect([admin.status, anonymous.status]).toEqual([403, 401]);
  });

  /** Sends a mail that the mail server refuses, as often as it is tried. */
  async function failedMail(): Promise<string> {
    server.refusals.push('mailbox full');
    await platform.app.mailer.send(MAIL, (await platform.login()).user.id);
    const [row] = await eventually('the mail was refused', 10, async () => {
      const rows = await platform.query<{ id: string }>("SELECT id FROM jobs.job WHERE state = 'retry'");
      return rows.length > 0 && rows;
    });
    await platform.query(
      "UPDATE jobs.job SET state = 'failed', retry_count = 8, start_after = now(), completed_on = now() WHERE id = $1",
      [row?.id],
    );
    const { body } = await sysadmin.get(`${JOBS}?status=failed&order=desc`);
    return body.data[0].id;
  }
});
