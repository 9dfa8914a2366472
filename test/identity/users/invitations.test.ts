import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addStaffedTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { codeOf, tokenOf } from '../../support/servers/mail-server.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';

const USERS = '/v1/admin/users';
const PASSWORD = 'twelve copper spoons in a row';

describe('an invitation', () => {
  let mailed: MailedPlatform;
  let admin: SignedInUser;
  const as = (token: string) => mailed.platform.as(token);

  beforeAll(async () => {
    mailed = await MailedPlatform.start();
    admin = await addSignedInAdmin(mailed.platform);
  });
  afterAll(() => mailed.close());

  it('is not changed by an administrator who may do less than who was invited', async () => {
    const email = 'boss@invited.test';
    const first = await as(mailed.sysadmin).post(USERS, { email, name: 'Boss', privileges: ['admin', 'sysadmin'] });

    const again = await as(admin.token).post(USERS, { email, name: 'Nobody', privileges: ['user'] });
    const shown = await as(mailed.sysadmin).get(`${USERS}/${first.body.id}`);

    expect([first.status, again.status]).toEqual([201, 403]);
    expect(shown.body).toMatchObject({ username: 'Boss', privileges: ['user', 'admin', 'sysadmin'] });
  });

  it('takes the place of a registration that nobody has confirmed, for whichever tenant', async () => {
    const { platform, mails } = mailed;
    const email = 'ann@registered.test';
    const other = await addStaffedTenant(platform);
    await platform.request('POST', '/v1/auth/register', { body: { email, password: PASSWORD, name: 'Stranger' } });
    const code = codeOf(await mails.next(email));

    const invited = await as(other.admin.token).post(USERS, { email, name: 'Ann' });
    const token = tokenOf(await mails.next(email));
    const confirmed = await platform.request('POST', '/v1/auth/confirm', { body: { email, code } });
    const chosen = await platform.request('POST', '/v1/auth/password-reset', {
      body: { token, new_password: PASSWORD },
    });

    expect(invited).toMatchObject({ status: 201, body: { tenant_id: other.id, username: 'Ann' } });
    expect([confirmed.status, chosen.status]).toEqual([400, 200]);
  });
});
