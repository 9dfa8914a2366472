import { describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const NEXT = 'nine paper boats go home';

describe('the audit log of passwords', () => {
  const platform = usePlatform();

  it('counts the tokens of mails that do not count', async () => {
    for (const token of ['x', 'y', 'a'.repeat(43)]) {
      await platform.request('POST', '/v1/auth/password-reset', { body: { token, new_password: NEXT } });
    }

    const rows = await auditRows(platform, "action = 'password.reset'");
    const counted = await platform.query("SELECT count FROM audit_refusals WHERE action = 'password.reset'");
    expect(rows).toMatchObject([{ outcome: 'failure', actor_type: 'unknown', actor_id: null, target_id: null }]);
    expect(counted).toEqual([{ count: 3 }]);
  });

  it('counts the wrong codes of registrations', async () => {
    for (const code of ['000000', '111111']) {
      await platform.request('POST', '/v1/auth/confirm', { body: { email: 'ann@people.test', code } });
    }

    const rows = await auditRows(platform, "action = 'user.confirm'");
    expect(rows).toMatchObject([{ outcome: 'failure', actor_type: 'unknown', actor_id: null, target_id: null }]);
  });

  it('tells of a change that is throttled', async () => {
    const { id, token } = await addSignedInUser(platform);
    const body = { current_password: 'not the password at all', new_password: NEXT };
    const statuses: number[] = [];
    for (let time = 0; time < 13; time += 1) {
      statuses.push((await platform.request('POST', '/v1/auth/change-password', { token, body })).status);
    }

    const rows = await auditRows(platform, "action = 'password.change' AND actor_id = $1", [id]);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
    expect(rows.map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
      ...Array(10).fill('failure: the password is wrong'),
      'denied: too many wrong passwords',
    ]);
  });
});
