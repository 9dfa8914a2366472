import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from '../../../src/identity/users/user.entity.js';
import { addSignedInUser } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { addDirectory, syncDirectory, untilSynced } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import type { ScriptedDirectory } from '../../support/servers/scripted-directory.js';
import { closedGate, foundPerson, startSearchedDirectory } from '../../support/servers/searched-directory.js';
import type { Gate } from '../../support/servers/searched-directory.js';
import { newServiceKey } from '../../support/servers/service-key.js';

describe('a user who is deleted while a directory is synced', () => {
  let parts: Parts;
  beforeEach(async () => (parts = await setUp()));
  afterEach(() => Promise.all([parts.platform.close(), parts.directory.close()]));

  it('is in no report of what the sync would do', async () => {
    const { platform, token, id, second } = parts;
    await syncDirectory(platform, token, id);
    parts.name = 'Secret Newname';
    parts.gate = closedGate();
    const options = { full: true, dry_run: true, force: true };
    const { body } = await platform.as(token).post(`/v1/admin/directories/${id}/sync`, options);
    await eventually('the first page is reported', 20, async () => (await read(body.id)).changes.length === 1);
    const [user] = await platform.query<{ id: string }>("SELECT id FROM users WHERE email = 'p1@example.test'");

    await erase(user?.id ?? '');
    parts.gate.open();
    const sync = await untilSynced(platform, token, id, body.id);

    expect(second()).toBeGreaterThan(0);
    expect(sync.changes).toEqual([]);
    expect(JSON.stringify(sync)).not.toContain('Secret');
  });

  it('is named by nothing of the sync that it has asked for', async () => {
    const { platform, token, id } = parts;
    const values = { email: 'asker@elsewhere.test', privileges: ['user', 'admin'] as User['privileges'] };
    const admin = await addSignedInUser(platform, undefined, values);
    parts.gate = closedGate();
    const path = `/v1/admin/directories/${id}/sync`;
    const { body } = await platform.as(admin.token).post(path, {});
    await eventually('the second page is asked for', 20, () => parts.second() > 0);

    await erase(admin.id);
    parts.gate.open();
    const sync = await untilSynced(platform, token, id, body.id);

    const rows = await platform.query("SELECT name FROM jobs.job WHERE data::text LIKE '%' || $1 || '%'", [admin.id]);
    expect(sync).toMatchObject({ status: 'failed', errors: ['Who asked for the sync may not sign in any more.'] });
    expect(rows).toEqual([]);
    expect((await platform.as(token).get('/v1/admin/jobs?kind=directory-sync')).body.data).toMatchObject([
      { user_id: null },
    ]);
  });

  async function erase(userId: string): Promise<void> {
    const { platform, service } = parts;
    const { status } = await platform.as(service).delete(`/v1/auth/users/${userId}`);
    expect(status).toBe(204);
    await eventually('the user is erased', 30, async () => {
      return (await platform.query('SELECT FROM users WHERE id = $1', [userId])).length === 0;
    });
  }

  async function read(syncId: string): Promise<AnyJson> {
    const { platform, token, id } = parts;
    return (await platform.as(token).get(`/v1/admin/directories/${id}/syncs/${syncId}`)).body;
  }
});

interface Parts {
  readonly platform: Platform;
  readonly directory: ScriptedDirectory;
  readonly token: string;
  readonly service: string;
  readonly id: string;
  /** How often the second page was asked for. */
  readonly second: () => number;
  /** Before the second page. */
  gate: Gate;
  /** What the first person is called. */
  name: string;
}

/** A directory of two pages with a person each. */
async function setUp(): Promise<Parts> {
  let second = 0;
  const directory = await startSearchedDirectory(async ({ base, cookie }) => {
    if (base === '') return { entries: [] };
    if (cookie !== 'second') return { entries: [foundPerson(1, { name: parts.name })], cookie: 'second' };
    second += 1;
    await parts.gate.passed;
    return { entries: [foundPerson(2)] };
  });
  const { key: service, env } = newServiceKey();
  const platform = await startPlatform(env);
  const { access_token: token } = await platform.login();
  const settings = { kind: 'ldap', name: 'Two pages', domains: ['example.test'], base_dn: 'ou=people' };
  const id = await addDirectory(platform, token, { ...settings, url: directory.url, timeout_seconds: 60 });
  const gate = closedGate();
  gate.open();
  const parts: Parts = { platform, directory, token, service, id, second: () => second, gate, name: 'First' };
  return parts;
}
