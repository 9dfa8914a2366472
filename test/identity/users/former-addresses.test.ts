import { expect, it } from '@jest/globals';
import { RevocationsService } from '../../../src/identity/sessions/revocations.service.js';
import { Accounts } from '../../../src/identity/users/accounts.js';
import { ExternalPeople } from '../../../src/identity/users/external-people.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { addUser, defaultTenantId, PASSWORD } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const service = newServiceKey();
const platform = usePlatform(service.env);

it('what was tried with an address that a deleted user had before is erased, too, however many came later', async () => {
  const email = 'ann.before@people.test';
  const headers = { 'user-agent': 'Ann-s-browser' };
  await platform.request('POST', '/v1/auth/login', { body: { email, password: PASSWORD }, headers });
  const user = await addUser(platform, await defaultTenantId(platform), { email });
  const { dataSource } = platform.app.database;
  const secretBox = await openSecretBox(platform.config, dataSource, []);
  const revocations = new RevocationsService(dataSource);
  const accounts = new Accounts(dataSource, revocations, new AuditRecorder(dataSource, secretBox));
  const people = new ExternalPeople(accounts, secretBox, silentLog);
  const toPerson = (index: number) => ({
    externalId: 'ann',
    email: `ann.${index}@people.test`,
    username: user.username,
  });

  await accounts.change(async (change) => {
    for (let index = 0; index < 30; index += 1) await people.update(change, user, toPerson(index));
  });
  const before = await auditRows(platform, "user_agent = 'Ann-s-browser'");
  await platform.request('DELETE', `/v1/auth/users/${user.id}`, { token: service.key });
  await eventually('the user is erased', 20, async () => {
    return (await platform.query('SELECT FROM users WHERE id = $1', [user.id])).length === 0;
  });

  expect(before).toHaveLength(1);
  expect(await auditRows(platform, "user_agent = 'Ann-s-browser'")).toEqual([]);
});
