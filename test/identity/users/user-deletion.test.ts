import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addApiToken,
  addSignedInUser,
  addStaffedTenant,
  addUser,
  signIn,
  whoAmI,
} from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Platform } from '../../support/servers/platform.js';
import { chunk, hanging } from '../../support/servers/scripted-backend.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { useGateway } from '../../support/servers/use-servers.js';
import { verifyLedger } from '../../../src/metering/domain.js';

const service = newServiceKey();

describe('the deletion of a user', () => {
  const gateway = useGateway({ env: service.env });
  let platform: Platform;

  beforeAll(async () => {
    platform = gateway.platform;
  });

  it('takes the account away at once, and its address is free', async () => {
    const ann = await addSignedInUser(platform);
    const pat = await addApiToken(platform, ann.token);

    const answer = await platform.as(service.key).delete(`/v1/auth/users/${ann.id}`);
    const again = await platform.as(service.key).delete(`/v1/auth/users/${ann.id}`);
    const tokens = [await whoAmI(platform, ann.token), await whoAmI(platform, pat.token)];
    const listed = await gateway.get(`/v1/admin/users?search=${ann.email}`);
    const found = await gateway.get(`/v1/admin/users/${ann.id}`);
    const next = await addUser(platform, ann.tenantId, { email: ann.email });

    expect([answer.status, again.status, found.status]).toEqual([204, 404, 404]);
    expect(tokens.map(({ status }) => status)).toEqual([401, 401]);
    expect(listed.body.data).toEqual([]);
    expect((await signIn(platform, ann.email)).user.id).toBe(next.id);
  });

  it('ends its streams, and keeps its calls under a pseudonym that nothing resolves', async () => {
    const bob = await addSignedInUser(platform);
    const own = { token: bob.token, headers: { 'x-request-id': 'bob.at.people.test' } };
    await gateway.chat({}, own);
    gateway.backend.answer(hanging(chunk({ content: 'Hello' })));
    const open = gateway.chat({ stream: true }, own);
    await eventually('the stream has begun', 10, () => gateway.received === 2);

    // The job that takes its name from them begins at once.
    const before = await callsOf(bob.id);
    await platform.as(service.key).delete(`/v1/auth/users/${bob.id}`);
    const cut = await open;
    await isErased(bob.id);

    const after = await platform.query<{ user_id: string }>('SELECT * FROM calls WHERE id = ANY ($1)', [before]);
    const dump = JSON.stringify([after, await everything()]);
    expect(cut.body).not.toContain('[DONE]');
    expect([before.length, after.length, new Set(after.map(({ user_id }) => user_id)).size]).toEqual([2, 2, 1]);
    expect([bob.id, bob.email, 'bob.at.people.test'].filter((trace) => dump.includes(trace))).toEqual([]);
    expect(await verifyLedger(platform.app.database.dataSource, 0)).toMatchObject({ open: 0, differences: [] });
  });

  it('is for services alone', async () => {
    const cleo = await addSignedInUser(platform);

    const answers = [
      await platform.as(gateway.token).delete(`/v1/auth/users/${cleo.id}`),
      await platform.as(cleo.token).delete(`/v1/auth/users/${cleo.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect((await whoAmI(platform, cleo.token)).status).toBe(200);
  });

  it('leaves the last sysadmin', async () => {
    const { user } = await platform.login();

    const answer = await platform.as(service.key).delete(`/v1/auth/users/${user.id}`);

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  it('goes with that of the tenant, which is gone at once', async () => {
    const { id, admin, user } = await addStaffedTenant(platform);

    const answer = await gateway.request('DELETE', `/v1/admin/tenants/${id}`);
    const tokens = [await whoAmI(platform, admin.token), await whoAmI(platform, user.token)];
    const found = await gateway.get(`/v1/admin/tenants/${id}`);
    await isErased(admin.id);
    await isErased(user.id);
    await eventually('the tenant is erased', 20, async () => {
      const rows = await platform.query('SELECT FROM tenants WHERE id = $1', [id]);
      return rows.length === 0;
    });

    expect([answer.status, found.status]).toEqual([204, 404]);
    expect(tokens.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('takes neither the default tenant nor that of whoever asks', async () => {
    const { tenantId } = await addSignedInUser(platform);

    const answer = await gateway.request('DELETE', `/v1/admin/tenants/${tenantId}`);

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  async function callsOf(userId: string): Promise<string[]> {
    const rows = await platform.query<{ id: string }>('SELECT id FROM calls WHERE user_id = $1', [userId]);
    return rows.map(({ id }) => id);
  }

  function isErased(userId: string): Promise<boolean> {
    return eventually('the user is erased', 20, async () => {
      const rows = await platform.query('SELECT FROM users WHERE id = $1', [userId]);
      return rows.length === 0;
    });
  }

  /** Every row of every table but those that name tokens which nobody takes any more. */
  async function everything(): Promise<unknown[]> {
    const tables = await platform.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('public', 'jobs') AND tablename NOT IN ('revocations')`,
    );
    return Promise.all(tables.map(({ name }) => platform.query(`SELECT to_jsonb(t) FROM ${name} t`)));
  }
});
