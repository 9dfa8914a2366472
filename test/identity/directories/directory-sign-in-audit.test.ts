import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addTenant, addUser, defaultTenantId, signIn } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { addDirectory, tryToSignIn } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import {
  idOf,
  isBind,
  ldapEntry,
  ldapMessage,
  ldapResult,
  ScriptedDirectory,
} from '../../support/servers/scripted-directory.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const EMAIL = 'alice@example.test';
const ALIAS = 'alice.doe@example.test';
const PASSWORD = 'alicepw';
const service = newServiceKey();

describe('a failed sign-in by a directory', () => {
  let platform: Platform;
  let directory: ScriptedDirectory;
  beforeAll(async () => ({ platform, directory } = await setUp()));
  afterAll(() => Promise.all([platform.close(), directory.close()]));

  it.each([
    ['a wrong password', 'not the password', 'active', 'the credentials are wrong'],
    ['a suspended account', PASSWORD, 'suspended', 'the account is suspended'],
  ])('is told of in the chain of the tenant, with the account of the directory: %s', async (...row) => {
    const [, password, status, reason] = row;
    const tenantId = await defaultTenantId(platform);
    const [alice] = await platform.query<{ id: string }>('SELECT id FROM users WHERE external_id IS NOT NULL');
    await platform.query('UPDATE users SET status = $2 WHERE id = $1', [alice?.id, status]);

    await tryToSignIn(platform, EMAIL, password);

    const rows = await auditRows(platform, 'reason = $1', [reason]);
    expect(rows).toMatchObject([
      { tenant_id: tenantId, actor_type: 'user', actor_id: alice?.id, target_id: alice?.id, outcome: 'failure' },
    ]);
  });

  it('by another address of the person is erased with the account', async () => {
    await platform.query("UPDATE users SET status = 'active'");
    await tryToSignIn(platform, ALIAS, 'not the password');
    const before = await auditRows(platform, "actor_type = 'unknown'");

    const { user } = await signIn(platform, ALIAS, PASSWORD);
    await platform.request('DELETE', `/v1/auth/users/${user.id}`, { token: service.key });
    await eventually('the user is erased', 20, async () => {
      return (await platform.query('SELECT FROM users WHERE id = $1', [user.id])).length === 0;
    });

    const after = await auditRows(platform, "actor_type = 'unknown'");
    expect(before).toMatchObject([{ target_type: 'account', ip: '127.0.0.1' }]);
    expect(after.map(({ ip }) => ip)).toEqual([null]);
  });
});

/** Somebody has signed in once by a directory; an account with a password of its own has the same address. */
async function setUp(): Promise<{ platform: Platform; directory: ScriptedDirectory }> {
  const directory = await ScriptedDirectory.start(answer);
  const platform = await startPlatform(service.env);
  const { access_token: token } = await platform.login();
  await addDirectory(platform, token, {
    kind: 'ldap',
    name: 'Scripted',
    domains: ['example.test'],
    url: directory.url,
    base_dn: 'dc=example,dc=test',
  });
  await signIn(platform, EMAIL, PASSWORD);
  await addUser(platform, await addTenant(platform), { email: EMAIL });
  return { platform, directory };
}

/** Knows one person, with one password. */
function answer(socket: Socket): void {
  const entry = { mail: [EMAIL, ALIAS], entryuuid: '0b1f6c4e-3a55-4f0e-9c7c-1d2e3f405162' };
  socket.on('data', (request: Buffer) => {
    const id = idOf(request);
    const invalidCredentials = 49;
    const bound = ldapResult(0x61, request.includes(PASSWORD) ? 0 : invalidCredentials);
    const found = Buffer.concat([ldapMessage(id, ldapEntry('uid=alice', entry)), ldapMessage(id, ldapResult(0x65))]);
    socket.write(isBind(request) ? ldapMessage(id, bound) : found);
  });
}
