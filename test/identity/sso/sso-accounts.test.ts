import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addStaffedTenant, defaultTenantId, whoAmI } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { refusals } from '../../support/probes/sso-refusals.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addSsoProvider, signInByToken, SsoIssuer } from '../../support/servers/sso-issuer.js';

describe('the accounts of single sign-on', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform(), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer);
  });
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it('are never shared by two providers, whatever is equal', async () => {
    const tenant = await addStaffedTenant(platform);
    await addSsoProvider(platform, issuer, { tid: 'fabrikam', tenant_id: tenant.id });

    const first = await signInByToken(platform, 'ada', issuer.token('ada'));
    const other = await signInByToken(platform, 'ada', issuer.token('ada', { tid: 'fabrikam' }), { tid: 'fabrikam' });

    const rows = await platform.query<{ tenant_id: string }>("SELECT tenant_id FROM users WHERE external_id = 'ada'");
    expect([first.status, other.status]).toEqual([200, 200]);
    expect(other.body.user.id).not.toBe(first.body.user.id);
    expect(new Set(rows.map((row) => row.tenant_id))).toEqual(new Set([await defaultTenantId(platform), tenant.id]));
  });

  it('are never linked to a local one by the address', async () => {
    const local = await addSignedInUser(platform, undefined, { email: 'kim@contoso.example' });
    const { email } = platform.admin;

    const kim = await signInByToken(platform, 'kim', issuer.token('kim'));
    const admin = await signInByToken(platform, 'x', issuer.token('x', { upn: email }), { upn: email });

    expect(kim.body.user.id).not.toBe(local.id);
    expect(admin.body.user).toMatchObject({ email, privileges: ['user'] });
    expect((await platform.login()).user.id).not.toBe(admin.body.user.id);
  });

  it('do not take the address of another one of the provider, and the logs tell so', async () => {
    await signInByToken(platform, 'one', issuer.token('one'));
    const upn = 'one@contoso.example';

    const { status } = await signInByToken(platform, 'two', issuer.token('two', { upn }), { upn });

    const why = 'nother user of the identity provider has the address';
    const rows = await auditRows(platform, 'reason = $1', [`a${why}`]);
    expect(status).toBe(401);
    expect(refusals(platform).at(-1)).toMatchObject({ reason: `A${why}.` });
    expect(rows).toMatchObject([{ action: 'user.sign_in', outcome: 'failure' }]);
  });

  it.each(['suspended', 'disabled', 'deleted'])('are refused like everybody else where they are %s', async (state) => {
    const first = await signInByToken(platform, state, issuer.token(state));
    await platform.query('UPDATE users SET status = $1 WHERE id = $2', [state, first.body.user.id]);

    const refused = await signInByToken(platform, state, issuer.token(state));
    const unknown = await signInByToken(platform, state, 'no proof', { tid: 'unknown' });

    expect([refused.status, refused.body]).toEqual([401, unknown.body]);
  });

  it('keep the privileges that an administrator has given', async () => {
    const { body } = await signInByToken(platform, 'boss', issuer.token('boss'));
    await platform.query("UPDATE users SET privileges = '{user,admin}' WHERE id = $1", [body.user.id]);

    const again = await signInByToken(platform, 'boss', issuer.token('boss'));

    expect(again.body.user.privileges).toEqual(['user', 'admin']);
    expect((await whoAmI(platform, body.access_token)).status).toBe(200);
  });

  it('are made by active providers alone: not by one that waits for a sysadmin, and not by a disabled one', async () => {
    const { id, admin } = await addStaffedTenant(platform);
    const settings = { kind: 'sso', name: 'Own', tid: 'own', issuer: issuer.url, client_id: 'platform-client' };
    const made = await platform.request('POST', '/v1/admin/identity-providers', { token: admin.token, body: settings });
    const path = `/v1/admin/identity-providers/${made.body.id}`;
    const { access_token: token } = await platform.login();
    const signIn = () => signInByToken(platform, 'pat', issuer.token('pat', { tid: 'own' }), { tid: 'own' });

    const pending = await signIn();
    await platform.request('POST', `${path}/approve`, { token });
    const approved = await signIn();
    await platform.request('PATCH', path, { token, body: { status: 'disabled' } });
    const disabled = await signIn();

    expect([made.body.status, pending.status, approved.status, disabled.status]).toEqual(['pending', 401, 200, 401]);
    expect((await whoAmI(platform, approved.body.access_token)).status).toBe(401);
    const [row] = await platform.query<object>('SELECT tenant_id FROM users WHERE id = $1', [approved.body.user.id]);
    expect(row).toEqual({ tenant_id: id });
  });

  it('are made once where somebody new signs in twice at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => signInByToken(platform, 'twice', issuer.token('twice'))));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });
});
