import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addUser, defaultTenantId } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { addSsoProvider, signInByToken, SsoIssuer } from '../../support/servers/sso-issuer.js';

describe('what was tried by a single sign-on before anybody knew whose it is', () => {
  let world: World;
  beforeAll(async () => void (world = await setUp()));
  afterAll(() => Promise.all([world.platform.close(), world.issuer.close()]));

  it('is erased with an account whose provider may sign nobody in any more', async () => {
    await tryToSignIn('ada');
    const id = await signIn('ada');
    await world.platform.query('UPDATE identity_providers SET approved = false, tid = NULL, settings = $1', [
      { ...world.settings, tid: 'another' },
    ]);

    await erase(id);

    await world.platform.query('UPDATE identity_providers SET approved = true, tid = $2, settings = $1', [
      world.settings,
      world.settings.tid,
    ]);
    expect(await traces()).toEqual([1, 0]);
  });

  it('is erased with an account that is older than the names that are kept', async () => {
    await tryToSignIn('bob');
    const id = await signIn('bob');
    await world.platform.query('UPDATE users SET audit_identifiers = NULL WHERE id = $1', [id]);
    await world.platform.query('UPDATE identity_providers SET approved = false, tid = NULL');

    await erase(id);

    await world.platform.query('UPDATE identity_providers SET approved = true, tid = $1', [world.settings.tid]);
    expect(await traces()).toEqual([1, 0]);
  });

  it.each([
    ['was', 'cleo', (id: string) => link(id, null, null)],
    ['is, and was otherwise,', 'dan', (id: string) => link(id, world.providerId, 'daniel')],
  ])('is erased with an account that a sysadmin %s linked to a provider: %s', async (_, oid, change) => {
    await tryToSignIn(oid);
    const { id } = await addUser(world.platform, await defaultTenantId(world.platform));
    await link(id, world.providerId, oid);
    await change(id);

    await erase(id);

    expect(await traces()).toEqual([1, 0]);
  });

  async function tryToSignIn(oid: string): Promise<void> {
    await world.platform.query('DELETE FROM audit_refusals');
    await signInByToken(world.platform, oid, 'no proof');
    world.before = await unknownSignIns();
  }

  async function signIn(oid: string): Promise<string> {
    const { body } = await signInByToken(world.platform, oid, world.issuer.token(oid));
    return body.user.id;
  }

  async function link(id: string, providerId: string | null, externalId: string | null): Promise<void> {
    const { access_token: token } = await world.platform.login();
    const body = { identity_provider_id: providerId, external_id: externalId };
    const { status } = await world.platform.request('PATCH', `/v1/admin/users/${id}`, { token, body });
    if (status !== 200) throw new Error(`The account was not linked: ${status}`);
  }

  async function erase(id: string): Promise<void> {
    await world.platform.request('DELETE', `/v1/auth/users/${id}`, { token: SERVICE.key });
    await eventually('the user is erased', 20, async () => {
      return (await world.platform.query('SELECT FROM users WHERE id = $1', [id])).length === 0;
    });
  }

  /** How many sign-ins of the unknown tell where they came from: before the account was deleted, and now. */
  async function traces(): Promise<[before: number, now: number]> {
    return [world.before, await unknownSignIns()];
  }

  async function unknownSignIns(): Promise<number> {
    const rows = await auditRows(world.platform, "actor_type = 'unknown' AND action = 'user.sign_in'");
    return rows.filter(({ ip }) => ip !== null).length;
  }
});

const SERVICE = newServiceKey();

interface World {
  readonly platform: Platform;
  readonly issuer: SsoIssuer;
  readonly providerId: string;
  /** Of the provider, as they are stored. */
  readonly settings: { readonly tid: string };
  /** The sign-ins of the unknown that were tried. */
  before: number;
}

async function setUp(): Promise<World> {
  const [platform, issuer] = [await startPlatform(SERVICE.env), await SsoIssuer.start()];
  const providerId = await addSsoProvider(platform, issuer);
  const [row] = await platform.query<Pick<World, 'settings'>>('SELECT settings FROM identity_providers');
  return { platform, issuer, providerId, settings: row?.settings ?? { tid: '' }, before: 0 };
}
