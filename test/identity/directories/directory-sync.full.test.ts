import { afterAll, beforeAll, expect } from '@jest/globals';
import type { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import {
  addApiToken,
  addSignedInUser,
  addTenant,
  defaultTenantId,
  signIn,
  whoAmI,
} from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import {
  addDirectory,
  directorySettings,
  GROUP_SETTINGS,
  syncDirectory,
  tryToSignIn,
} from '../../support/builders/directories.js';
import { DirectoryServer, groupDn, personDn } from '../../support/servers/directory-server.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onSlapd } from '../../support/servers/services.js';

onSlapd.describe('a directory sync', () => {
  const { it } = onSlapd;
  let server: DirectoryServer;
  let platform: Platform;
  let token: string;
  let id: string;
  beforeAll(async () => ({ server, platform, token, id } = await setUp()));
  afterAll(() => Promise.all([platform.close(), server.close()]));

  it('makes accounts, and finds them unchanged the next time', async () => {
    const first = await sync();
    const second = await sync({ full: true });

    expect(first).toMatchObject({ status: 'completed', full: true, errors: [], counts: counts({ created: 40 }) });
    expect(second).toMatchObject({ status: 'completed', full: true, counts: counts({ unchanged: 40 }) });
    expect(await accountOf('p1')).toMatchObject({
      username: 'p1',
      privileges: ['user', 'admin'],
      group_memberships: ['admins', 'staff'],
      tenant_id: await defaultTenantId(platform),
    });
    expect(await accountOf('p2')).toMatchObject({ privileges: ['user'], group_memberships: [] });
  });

  it('reads what has changed alone, from the second time on', async () => {
    await sync();
    await server.replace(personDn('p3'), 'cn', ['Three']);

    const { full, counts: counted } = await sync();

    expect(full).toBe(false);
    expect(counted).toEqual(counts({ updated: 1, unchanged: counted.unchanged }));
    expect(await accountOf('p3')).toMatchObject({ username: 'Three' });
  });

  it('notices that a group has changed, and ends the sessions of whoever is in it no more', async () => {
    await sync();
    const { access_token: jwt } = await signIn(platform, 'p1@example.test', 'p1pw');
    await server.replace(groupDn('admins'), 'member', [personDn('p4')]);

    const { counts: counted } = await sync();

    expect(counted).toEqual(counts({ updated: 2, unchanged: 38 }));
    expect(await accountOf('p1')).toMatchObject({ privileges: ['user'], group_memberships: ['staff'] });
    expect(await accountOf('p4')).toMatchObject({ privileges: ['user', 'admin'] });
    expect((await whoAmI(platform, jwt)).status).toBe(401);
  });

  it('suspends who has vanished in a full pass, and lets them in again when they are back', async () => {
    await sync({ full: true });
    const { access_token: jwt } = await signIn(platform, 'p5@example.test', 'p5pw');
    const { token: apiToken } = await addApiToken(platform, jwt);
    await server.change((client) => client.modifyDN(personDn('p5'), MOVED));

    const partly = await sync();
    const whole = await sync({ full: true });
    const gone = await accountOf('p5');
    const { status: whileGone } = await whoAmI(platform, apiToken);
    await server.change((client) => client.modifyDN(MOVED, personDn('p5')));
    const back = await sync({ full: true });

    expect([partly.counts.suspended, whole.counts.suspended]).toEqual([0, 1]);
    expect(whileGone).toBe(401);
    expect(gone).toMatchObject({ status: 'suspended', suspended_by_sync: true });
    expect((await whoAmI(platform, jwt)).status).toBe(401);
    expect(back.counts).toEqual(counts({ updated: 1, unchanged: 39 }));
    expect(await accountOf('p5')).toMatchObject({ status: 'active', suspended_by_sync: false });
  });

  it('leaves people suspended whom an administrator has suspended', async () => {
    await platform.query("UPDATE users SET status = 'suspended' WHERE email = 'p6@example.test'");

    const { counts: counted } = await sync({ full: true });

    expect(counted).toEqual(counts({ unchanged: 40 }));
    expect(await accountOf('p6')).toMatchObject({ status: 'suspended' });
    expect((await tryToSignIn(platform, 'p6@example.test', 'p6pw')).status).toBe(401);
    await platform.query("UPDATE users SET status = 'active' WHERE email = 'p6@example.test'");
  });

  it('lets two people exchange their addresses, and refuses the address of somebody else', async () => {
    const [seven, eight] = [await accountOf('p7'), await accountOf('p8')];
    await server.replace(personDn('p7'), 'mail', ['p8@example.test']);
    await server.replace(personDn('p8'), 'mail', ['p7@example.test']);
    await server.addPerson({ uid: 'p9-again', mail: 'p9@example.test' });

    const { counts: counted, errors } = await sync({ full: true });

    const [sevenNow, eightNow] = [await accountOf('p8'), await accountOf('p7')];
    await server.change((client) => client.del(personDn('p9-again')));
    expect(counted).toEqual(counts({ updated: 2, unchanged: 38, failed: 1 }));
    expect(errors).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}: another account of the provider has the address\.$/),
    ]);
    expect([sevenNow.id, eightNow.id]).toEqual([seven.id, eight.id]);
  });

  it('only tells what it would do in a dry run', async () => {
    await sync({ full: true });
    const before = await platform.query('SELECT * FROM users ORDER BY id');
    await server.replace(personDn('p10'), 'mail', ['ten@example.test']);
    await server.addPerson({ uid: 'new' });
    await server.change((client) => client.del(personDn('p11')));

    const dry = await sync({ full: true, dry_run: true });

    expect(dry).toMatchObject({
      status: 'completed',
      counts: counts({ created: 1, updated: 1, suspended: 1, unchanged: 38 }),
    });
    expect(dry.changes).toEqual([
      expect.objectContaining({ action: 'update', changes: ['email: p10@example.test -> ten@example.test'] }),
      expect.objectContaining({ action: 'create', email: 'new@example.test', username: 'new', changes: [] }),
      expect.objectContaining({ action: 'suspend', email: 'p11@example.test' }),
    ]);
    expect(await platform.query('SELECT * FROM users ORDER BY id')).toEqual(before);
  });

  it('is told of, until it is over', async () => {
    const { body } = await platform.as(token).post(`/v1/admin/directories/${id}/sync`, {});
    const query = `subscription { directorySyncUpdated(id: "${body.id}") { status finishedAt } }`;
    const states: string[] = [];

    for await (const { data } of sseClient({ url: platform.url, token }).iterate<AnyUpdate>({ query })) {
      states.push(data?.directorySyncUpdated.status ?? '');
    }

    expect(states.at(-1)).toBe('completed');
    expect(states.filter((status) => status === 'completed')).toHaveLength(1);
  });

  it('is not there for the administrators of another tenant', async () => {
    const { id: syncId } = await sync();
    const stranger: Partial<User> = { email: 'admin@foreign.test', privileges: ['user', 'admin'] };
    const admin = await addSignedInUser(platform, await addTenant(platform), stranger);
    const paths = [`/v1/admin/directories/${id}/syncs`, `/v1/admin/directories/${id}/syncs/${syncId}`];

    const started = await platform.as(admin.token).post(`/v1/admin/directories/${id}/sync`, {});
    const read = await Promise.all(paths.map((path) => platform.as(admin.token).get(path)));

    expect([started, ...read].map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(started.body).toEqual((await platform.as(token).post(NOWHERE, {})).body);
  });

  it('is listed with the others of its directory', async () => {
    const { body } = await platform.as(token).get(`/v1/admin/directories/${id}/syncs?limit=2`);

    expect(body).toMatchObject({ object: 'list', has_more: true });
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({ object: 'directory_sync', provider_id: id, status: 'completed' });
  });

  it('fails where the server does not show everybody to the service account', async () => {
    await server.addPerson({ uid: 'limited' });
    const body = { bind_dn: personDn('limited'), bind_password: 'limitedpw' };
    await platform.as(token).patch(`/v1/admin/identity-providers/${id}`, body);

    const limited = await sync({ full: true, force: true });

    expect(limited).toMatchObject({ status: 'failed', errors: [expect.stringContaining('size limit')] });
  });

  function sync(options?: object): Promise<AnyJson> {
    return syncDirectory(platform, token, id, options);
  }

  async function accountOf(uid: string): Promise<Record<string, unknown>> {
    const [row] = await platform.query<Record<string, unknown>>('SELECT * FROM users WHERE email = $1', [
      `${uid}@example.test`,
    ]);
    return row ?? {};
  }
});

interface AnyUpdate extends Record<string, unknown> {
  readonly directorySyncUpdated: { readonly status: string };
}

const NOWHERE = `/v1/admin/directories/${newId('dir')}/sync`;

/** Not below `base_dn`. */
const MOVED = 'uid=p5,ou=groups,dc=example,dc=test';

function counts(some: object): object {
  return { created: 0, updated: 0, suspended: 0, unchanged: 0, failed: 0, ...some };
}

async function setUp(): Promise<{ server: DirectoryServer; platform: Platform; token: string; id: string }> {
  const people = Array.from({ length: 40 }, (_, n) => ({ uid: `p${n + 1}` }));
  const groups = { admins: ['p1'], staff: ['p1'] };
  const [server, platform] = await Promise.all([DirectoryServer.start(people, groups), startPlatform()]);
  const { access_token: token } = await platform.login();
  const id = await addDirectory(platform, token, { ...directorySettings(server), ...GROUP_SETTINGS });
  return { server, platform, token, id };
}
