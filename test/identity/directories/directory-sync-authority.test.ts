import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { addDirectory, untilSynced } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import type { ScriptedDirectory } from '../../support/servers/scripted-directory.js';
import { closedGate, foundPerson, startSearchedDirectory } from '../../support/servers/searched-directory.js';
import type { Gate } from '../../support/servers/searched-directory.js';

describe('a directory sync that is under way', () => {
  let shared: Shared;
  let parts: Held;
  beforeAll(async () => (shared = await start()));
  afterAll(() => Promise.all([shared.platform.close(), shared.directory.close()]));
  beforeEach(async () => (parts = await hold(shared)));

  const INACTIVE = 'The directory is not active any more, or was changed after the sync was asked for.';

  it.each<[string, string, (held: Held) => Promise<unknown>]>([
    [
      'its directory is disabled',
      INACTIVE,
      ({ id, patch }) => patch(`identity-providers/${id}`, { status: 'disabled' }),
    ],
    [
      'its directory is changed',
      INACTIVE,
      ({ id, patch }) => patch(`identity-providers/${id}`, { base_dn: 'dc=other' }),
    ],
    [
      'who asked is suspended',
      'Who asked for the sync may not sign in any more.',
      ({ admin, patch }) => patch(`users/${admin.id}`, { status: 'suspended' }),
    ],
    [
      'who asked is no administrator any more',
      'Who asked for the sync does not administer the directory any more.',
      ({ admin, patch }) => patch(`users/${admin.id}`, { privileges: ['user'] }),
    ],
  ])('makes no accounts once %s, and is not tried again', async (_, reason, change) => {
    const syncId = await parts.begin();

    await change(parts);
    parts.gate.open();
    const sync = await untilSynced(parts.platform, parts.sysadmin, parts.id, syncId);

    expect(sync).toMatchObject({ status: 'failed', errors: [reason], counts: { created: 0 } });
    expect(await parts.people()).toEqual([]);
  });

  it('makes no accounts once its tenant is deleted', async () => {
    const { platform, sysadmin, admin } = parts;
    const syncId = await parts.begin();

    const { status } = await platform.request('DELETE', `/v1/admin/tenants/${admin.tenantId}`, { token: sysadmin });
    parts.gate.open();
    await eventually('the sync is over', 20, async () => {
      const sql = 'SELECT FROM directory_syncs WHERE id = $1 AND finished_at IS NULL';
      return (await platform.query(sql, [syncId])).length === 0;
    });

    expect(status).toBe(204);
    expect(await parts.people()).toEqual([]);
  });

  it('suspends nobody once its directory is disabled', async () => {
    const { platform, sysadmin, id } = parts;
    parts.gate.open();
    await untilSynced(platform, sysadmin, id, await parts.begin());
    const gate = parts.hold({ people: [] });
    const syncId = await parts.begin({ full: true, force: true });

    await parts.patch(`identity-providers/${id}`, { status: 'disabled' });
    gate.open();
    const sync = await untilSynced(platform, sysadmin, id, syncId);

    expect(sync).toMatchObject({ status: 'failed', errors: [INACTIVE], counts: { suspended: 0 } });
    expect(await parts.people()).toEqual(['active']);
  });

  it('is over where its job was given up', async () => {
    const { platform, sysadmin, id } = parts;
    const syncId = await parts.begin();

    const sql = "UPDATE jobs.job SET state = 'failed', output = $1 WHERE name = 'directory-sync' AND state = 'active'";
    await platform.query(sql, [{ message: 'Processes died.' }]);
    await platform.runTask('ending syncs whose jobs are over');
    const sync = await untilSynced(platform, sysadmin, id, syncId);
    parts.gate.open();

    expect(sync).toMatchObject({ status: 'failed', errors: ['Its job was given up: Processes died.'] });
  });
});

/** A platform, and a directory that waits before it shows people; each case has a tenant and a base of its own. */
interface Shared {
  readonly platform: Platform;
  readonly directory: ScriptedDirectory;
  readonly sysadmin: string;
  /** What the directory shows below each base, and when. */
  readonly shown: Map<string, { people: Buffer[]; gate: Gate; asked: number }>;
}

interface Held {
  readonly platform: Platform;
  readonly sysadmin: string;
  /** Of the directory's tenant. */
  readonly admin: SignedInUser;
  /** The directory's. */
  readonly id: string;
  /** Searches for people are answered when it is open. */
  readonly gate: Gate;
  /** Lets the directory wait again, and then show these. */
  hold(next: { people: Buffer[] }): Gate;
  /** Asks for a sync; answers its id when the directory has been asked for people. */
  begin(options?: object): Promise<string>;
  patch(path: string, body: object): Promise<unknown>;
  /** The status of each account that the directory has made. */
  people(): Promise<string[]>;
}

async function start(): Promise<Shared> {
  const shown: Shared['shown'] = new Map();
  const directory = await startSearchedDirectory(async ({ base }) => {
    const below = shown.get(base);
    if (!below) return { entries: [] };
    below.asked += 1;
    const { gate, people: entries } = below;
    await gate.passed;
    return { entries };
  });
  const platform = await startPlatform();
  const { access_token: sysadmin } = await platform.login();
  return { platform, directory, sysadmin, shown };
}

async function hold({ platform, directory, sysadmin, shown }: Shared): Promise<Held> {
  const domain = `held${shown.size}.test`;
  const below = { people: [foundPerson(1, { domain })], gate: closedGate(), asked: 0 };
  shown.set(`dc=${domain}`, below);
  const admin = await addSignedInAdmin(platform, await addTenant(platform));
  const settings = { kind: 'ldap', name: 'Held', domains: [domain], url: directory.url, base_dn: `dc=${domain}` };
  const body = { ...settings, timeout_seconds: 60, tenant_id: admin.tenantId };
  const id = await addDirectory(platform, sysadmin, body);
  return {
    platform,
    sysadmin,
    admin,
    id,
    gate: below.gate,
    hold: (next) => Object.assign(below, next, { gate: closedGate() }).gate,
    begin: async (options = {}) => {
      const { asked } = below;
      const path = `/v1/admin/directories/${id}/sync`;
      const answer = await platform.request('POST', path, { token: admin.token, body: options });
      await eventually('the directory is asked', 20, () => below.asked > asked);
      return answer.body.id as string;
    },
    patch: async (path, patch) => {
      const answer = await platform.request('PATCH', `/v1/admin/${path}`, { token: sysadmin, body: patch });
      if (answer.status !== 200) throw new Error(`Nothing was changed: ${JSON.stringify(answer.body)}`);
    },
    people: async () => {
      const sql = 'SELECT status FROM users WHERE email LIKE $1 OR identity_provider_id = $2';
      const rows = await platform.query<{ status: string }>(sql, [`%@${domain}`, id]);
      return rows.map(({ status }) => status);
    },
  };
}
