import { afterAll, beforeAll, expect } from '@jest/globals';
import { signIn, whoAmI } from '../../support/builders/accounts.js';
import { addDirectory, directorySettings, GROUP_SETTINGS, tryToSignIn } from '../../support/builders/directories.js';
import { DirectoryServer, groupDn, personDn } from '../../support/servers/directory-server.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, TokenPair } from '../../support/servers/platform.js';
import { onSlapd } from '../../support/servers/services.js';

onSlapd.describe('the groups of a directory', () => {
  const { it } = onSlapd;
  let server: DirectoryServer;
  let platform: Platform;
  let change: (patch: object) => Promise<void>;
  beforeAll(async () => ({ server, platform, change } = await setUp()));
  afterAll(() => Promise.all([platform.close(), server.close()]));

  it('make an administrator, until the first sign-in after the group is lost, which ends all other sessions', async () => {
    const before = await signIn(platform, 'alice@example.test', 'alicepw');
    await server.replace(groupDn('admins'), 'member', [personDn('carol')]);

    const after = await signIn(platform, 'alice@example.test', 'alicepw');

    await server.replace(groupDn('admins'), 'member', [personDn('alice'), groupDn('outer')]);
    expect(before.user).toMatchObject({ privileges: ['user', 'admin'], groupMemberships: ['admins', 'staff'] });
    expect(after.user).toMatchObject({ id: before.user.id, privileges: ['user'], groupMemberships: ['staff'] });
    expect((await whoAmI(platform, before.access_token)).status).toBe(401);
    expect((await whoAmI(platform, after.access_token)).status).toBe(200);
  });

  it('are followed from group to group where nested ones count, also in a circle', async () => {
    const flat = await privilegesOf('carol');
    await change({ nested_groups: true });

    const nested = await signIn(platform, 'carol@example.test', 'carolpw');

    await change({ nested_groups: false });
    expect(flat).toEqual(['user']);
    expect(nested.user).toMatchObject({
      privileges: ['user', 'admin'],
      groupMemberships: ['admins', 'inner', 'outer'],
    });
  });

  it('are told apart by their names in the directory, however those are written', async () => {
    await change({ group_map: [{ group: 'CN=Admins , OU=groups,dc=EXAMPLE,dc=test', privilege: 'admin' }] });
    const named = await privilegesOf('alice');
    await change({ group_map: [{ group: 'cn=admins,ou=people,dc=example,dc=test', privilege: 'admin' }] });
    const other = await privilegesOf('alice');

    await change(GROUP_SETTINGS);
    expect([named, other]).toEqual([['user', 'admin'], ['user']]);
  });

  it('give nothing and take nothing where none is mapped', async () => {
    await change({ group_map: [] });
    const before = await privilegesOf('alice');
    await change({ group_map: [{ group: 'staff', privilege: 'user' }] });
    const after = await privilegesOf('alice');

    await change(GROUP_SETTINGS);
    expect(after).toEqual(['user']);
    expect(before).toEqual(expect.arrayContaining(['user']));
  });

  it('are never guessed: where they cannot be read, nobody signs in', async () => {
    await change({ group_base_dn: 'ou=nowhere,dc=example,dc=test' });

    const { status } = await tryToSignIn(platform, 'alice@example.test', 'alicepw');

    await change(GROUP_SETTINGS);
    expect(status).toBe(503);
  });

  async function privilegesOf(uid: string): Promise<unknown> {
    const { user } = (await signIn(platform, `${uid}@example.test`, `${uid}pw`)) as TokenPair & { user: AnyUser };
    return user.privileges;
  }
});

interface AnyUser {
  readonly privileges: string[];
}

async function setUp(): Promise<{ server: DirectoryServer; platform: Platform; change(patch: object): Promise<void> }> {
  const people = ['alice', 'bob', 'carol'].map((uid) => ({ uid }));
  const groups = {
    admins: ['alice', groupDn('outer')],
    staff: ['alice', 'bob'],
    outer: [groupDn('inner')],
    inner: ['carol', groupDn('outer')],
  };
  const [server, platform] = await Promise.all([DirectoryServer.start(people, groups), startPlatform()]);
  const { access_token: token } = await platform.login();
  const id = await addDirectory(platform, token, { ...directorySettings(server), ...GROUP_SETTINGS });
  const change = async (body: object): Promise<void> => {
    expect(await platform.request('PATCH', `/v1/admin/identity-providers/${id}`, { token, body })).toMatchObject({
      status: 200,
    });
  };
  return { server, platform, change };
}
