import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { adminCommand } from '../../src/cli/commands/admin.js';
import type { User } from '../../src/identity/users/user.entity.js';
import { addUser, defaultTenantId, signIn, whoAmI } from '../support/builders/accounts.js';
import { addDirectory } from '../support/builders/directories.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { ADMIN, startPlatform } from '../support/servers/platform.js';

const PASSWORD = 'Brand new horses graze';

describe('the command that gives a user a new password', () => {
  it('ends every session of that user', async () => {
    const platform = await startPlatform();
    const { access_token: token } = await platform.login();
    const reset = (email: string, input: string) =>
      runCommand(adminCommand, databaseOf(platform), { args: ['reset-password', email], input });

    const ended = await platform.whileStopped(async () => [
      await reset(ADMIN.email, 'short'),
      await reset('nobody@example.test', PASSWORD),
      await reset(ADMIN.email, `${PASSWORD}\n`),
    ]);
    const statuses = [
      (await platform.request('POST', '/v1/auth/login', { body: ADMIN })).status,
      (await platform.request('POST', '/v1/auth/login', { body: { ...ADMIN, password: PASSWORD } })).status,
      (await whoAmI(platform, token)).status,
    ];
    await platform.close();

    expect(ended.map(({ code }) => code)).toEqual([1, 1, 0]);
    expect(ended.map(({ output }) => output).join()).not.toContain(PASSWORD);
    expect(statuses).toEqual([401, 200, 401]);
  });

  it('answers an invitation, and confirms a registration', async () => {
    const platform = await startPlatform();
    const tenantId = await defaultTenantId(platform);
    const waiting = { confirmed: false, passwordHash: null };
    const invited = await addUser(platform, tenantId, waiting);
    const registered = await addUser(platform, tenantId, { ...waiting, confirmBefore: new Date(Date.now() + 60_000) });
    const reset = ({ email }: User) =>
      runCommand(adminCommand, databaseOf(platform), { args: ['reset-password', email], input: PASSWORD });

    const ended = await platform.whileStopped(async () => [await reset(invited), await reset(registered)]);
    const signedIn = await Promise.all([invited, registered].map(({ email }) => signIn(platform, email, PASSWORD)));
    const left = await platform.query('SELECT FROM users WHERE NOT confirmed OR confirm_before IS NOT NULL');
    await platform.close();

    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(signedIn.map(({ user }) => user.id)).toEqual([invited.id, registered.id]);
    expect(left).toEqual([]);
  });

  it('says who keeps the password where the server does not, and nothing of users that are deleted', async () => {
    const platform = await startPlatform();
    const { access_token: token } = await platform.login();
    const settings = {
      kind: 'ldap',
      name: 'Staff',
      url: 'ldap://127.0.0.1:3890',
      base_dn: 'dc=x',
      domains: ['x.test'],
    };
    const identityProviderId = await addDirectory(platform, token, settings);
    const tenantId = await defaultTenantId(platform);
    const person = await addUser(platform, tenantId, { identityProviderId, externalId: 'ann', passwordHash: null });
    const deleted = await addUser(platform, tenantId, { status: 'deleted', pseudonym: 'gone', passwordHash: null });
    const reset = ({ email }: User) =>
      runCommand(adminCommand, databaseOf(platform), { args: ['reset-password', email], input: PASSWORD });

    const ended = await platform.whileStopped(async () => [await reset(person), await reset(deleted)]);
    await platform.close();

    expect(ended).toEqual([
      { code: 1, output: `The password of ${person.email} is kept by its identity provider: change it there.\n` },
      { code: 1, output: `There is no user ${deleted.email}.\n` },
    ]);
  });

  it('reads the password as a process, and fails in one line where there is no such user', async () => {
    const database = await createTestDatabaseFolder();

    const args = ['reset-password', 'nobody@example.test'];
    const { code, output } = await runCommandProcess('admin', { ...database, args, input: PASSWORD });
    await database.drop();

    expect([code, output]).toEqual([1, expect.stringMatching(/^[^\n]*user[^\n]*\n$/)]);
    expect(output).not.toContain(PASSWORD);
  });

  it('makes no database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'admin-'));

    const options = { args: ['reset-password', 'a@b.c'], input: 'x' };
    const { code, output } = await runCommand(adminCommand, { env: { DATA_DIR: join(folder, 'nowhere') } }, options);
    const names = await readdir(folder);
    await rm(folder, { recursive: true });

    expect([code, output]).toEqual([1, expect.stringContaining('no database')]);
    expect(names).toEqual([]);
  });
});
