import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { addDirectory, syncDirectory, untilSynced } from '../../support/builders/directories.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { ScriptedDirectory } from '../../support/servers/scripted-directory.js';
import { foundPerson, startSearchedDirectory } from '../../support/servers/searched-directory.js';
import type { SearchAnswer } from '../../support/servers/searched-directory.js';

describe('a directory sync that could go wrong', () => {
  let platform: Platform;
  let token: string;
  let directory: ScriptedDirectory;
  let id: string;
  let found: SearchAnswer;
  let count = 0;
  beforeAll(async () => ({ platform, token } = await setUp()));
  afterAll(() => platform.close());
  beforeEach(addPeople);
  afterEach(() => directory.close());

  it('is refused where it would suspend many, and changes nothing, unless it is forced', async () => {
    await sync();
    found = { entries: people(12, 41) };

    const dry = await sync({ full: true, dry_run: true });
    const refused = await sync({ full: true });
    const forced = await sync({ full: true, force: true });

    const message = '11 of 40 people would be suspended. If that is right, sync with force.';
    expect(dry).toMatchObject({ status: 'refused', errors: [message], counts: { created: 1, suspended: 11 } });
    expect(refused).toMatchObject({ status: 'refused', errors: [message], counts: { created: 0, suspended: 0 } });
    expect(forced).toMatchObject({ status: 'completed', counts: { created: 1, suspended: 11, unchanged: 29 } });
  });

  it('suspends a few without force', async () => {
    await sync();
    found = { entries: people(11, 40) };

    const { status, counts } = await sync({ full: true });

    expect({ status, suspended: counts.suspended }).toEqual({ status: 'completed', suspended: 10 });
  });

  it('never suspends everybody because the directory shows nobody', async () => {
    found = { entries: people(1, 1) };
    await sync();
    found = { entries: [] };

    const refused = await sync({ full: true });

    expect(refused).toMatchObject({
      status: 'refused',
      errors: ['The directory shows nobody, and 1 people would be suspended. If that is right, sync with force.'],
    });
    expect(await statuses()).toEqual(['active']);
  });

  it('fails where the directory does not show everybody, and where it is away', async () => {
    await sync();
    found = { entries: people(1, 10), code: SIZE_LIMIT_EXCEEDED };
    const limited = await sync({ full: true, force: true });
    await directory.close();
    const away = await sync({ full: true });

    expect(limited).toMatchObject({ status: 'failed', errors: [expect.stringContaining('size limit')] });
    expect(away).toMatchObject({ status: 'failed', errors: ['The directory cannot be reached.'] });
    expect(new Set(await statuses())).toEqual(new Set(['active']));
  });

  it('suspends nobody where entries do not say who they are', async () => {
    await sync();
    await change({ id_attribute: 'objectGUID' });

    const { counts, errors } = await sync({ full: true, force: true });

    expect(counts).toEqual({ created: 0, updated: 0, suspended: 0, unchanged: 0, failed: 40 });
    expect(errors[0]).toBe('An entry has no objectGUID, or it may not be read. Nobody is suspended.');
  });

  it('is one at a time for each directory, and none while nobody may sign in by it', async () => {
    const silent = await ScriptedDirectory.start(() => undefined);
    await change({ url: silent.url });
    const path = `/v1/admin/directories/${id}/sync`;
    const first = await platform.request('POST', path, { token, body: {} });

    const second = await platform.request('POST', path, { token, body: {} });
    await eventually('the sync asks', 20, () => silent.connections > 0);
    await silent.close();
    const { status } = await untilSynced(platform, token, id, first.body.id);
    await change({ status: 'disabled' });
    const third = await platform.request('POST', path, { token, body: {} });

    expect(first.headers.get('location')).toBe(`/v1/admin/directories/${id}/syncs/${first.body.id}`);
    expect([first.status, second.status, status, third.status]).toEqual([202, 409, 'failed', 409]);
  });

  it('makes room for another one where its job is gone', async () => {
    await sync();
    const sql = "UPDATE directory_syncs SET status = 'queued', finished_at = NULL, job_id = $1 WHERE provider_id = $2";
    await platform.query(sql, [newId('job'), id]);

    const next = await sync();

    const { body } = await platform.request('GET', `/v1/admin/directories/${id}/syncs?order=asc`, { token });
    expect(next.status).toBe('completed');
    expect(body.data[0]).toMatchObject({ status: 'failed', errors: ['Its job is not there any more.'] });
  });

  it('does nothing more for somebody who does not administer the directory any more', async () => {
    await platform.query(FAIL_FROM_30_ON);
    const values: Partial<User> = { email: 'admin@elsewhere.test', privileges: ['user', 'admin'] };
    const admin = await addSignedInUser(platform, undefined, values);
    const path = `/v1/admin/directories/${id}/sync`;
    const { body } = await platform.request('POST', path, { token: admin.token, body: {} });
    await untilFirstAttemptFailed(body.id);

    await platform.query("UPDATE users SET privileges = '{user}' WHERE id = $1", [admin.id]);
    await platform.query(MAKE_DUE);
    const done = await untilSynced(platform, token, id, body.id);

    await platform.query('DROP TRIGGER fail_from_30_on ON users');
    const reason = 'Who asked for the sync does not administer the directory any more.';
    expect(done).toMatchObject({ status: 'failed', errors: [reason], counts: { created: 25 } });
  });

  it('goes on where it was interrupted, and counts nobody twice', async () => {
    await platform.query(FAIL_FROM_30_ON);
    const { body } = await platform.request('POST', `/v1/admin/directories/${id}/sync`, { token, body: {} });
    await untilFirstAttemptFailed(body.id);

    await platform.query('DROP TRIGGER fail_from_30_on ON users');
    await platform.query(MAKE_DUE);
    const done = await untilSynced(platform, token, id, body.id);

    expect(done).toMatchObject({ status: 'completed', counts: { created: 40, unchanged: 0, updated: 0, failed: 0 } });
    expect(await platform.query('SELECT FROM directory_sync_people')).toEqual([]);
  });

  /** Sets up a directory of a case's own that shows forty people. */
  async function addPeople(): Promise<void> {
    count += 1;
    found = { entries: people(1, 40) };
    directory = await startSearchedDirectory(({ base }) => (base === '' ? { entries: [] } : found));
    const settings = { kind: 'ldap', name: 'Directory', domains: [domain()], base_dn: 'ou=people' };
    id = await addDirectory(platform, token, { ...settings, url: directory.url });
  }

  function domain(): string {
    return `safety${count}.test`;
  }

  function people(from: number, to: number): Buffer[] {
    return Array.from({ length: to - from + 1 }, (_, n) => foundPerson(from + n, { domain: domain() }));
  }

  async function untilFirstAttemptFailed(syncId: string): Promise<void> {
    await eventually('the first attempt has failed', 30, async () => {
      const sql = 'SELECT count(*)::integer AS count FROM directory_sync_people WHERE sync_id = $1';
      const [row] = await platform.query<{ count: number }>(sql, [syncId]);
      const waiting = await platform.query("SELECT FROM jobs.job WHERE state = 'retry'");
      return row?.count === 25 && waiting.length === 1;
    });
  }

  function sync(options?: object): Promise<AnyJson> {
    return syncDirectory(platform, token, id, options);
  }

  async function statuses(): Promise<string[]> {
    const sql = 'SELECT status FROM users WHERE identity_provider_id = $1';
    return (await platform.query<{ status: string }>(sql, [id])).map(({ status }) => status);
  }

  async function change(body: object): Promise<void> {
    const answer = await platform.request('PATCH', `/v1/admin/identity-providers/${id}`, { token, body });
    expect(answer).toMatchObject({ status: 200 });
  }
});

const SIZE_LIMIT_EXCEEDED = 4;

const FAIL_FROM_30_ON = `
  CREATE OR REPLACE FUNCTION fail_from_30_on() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT count(*) FROM users WHERE identity_provider_id = NEW.identity_provider_id) >= 30 THEN
      RAISE EXCEPTION 'no more';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER fail_from_30_on BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION fail_from_30_on()`;

/** Ends the pause before the next attempt. */
const MAKE_DUE = "UPDATE jobs.job SET start_after = now() WHERE state = 'retry'";

async function setUp(): Promise<{ platform: Platform; token: string }> {
  const platform = await startPlatform();
  const { access_token: token } = await platform.login();
  return { platform, token };
}
