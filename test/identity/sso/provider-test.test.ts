import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin } from '../../support/builders/accounts.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { addSsoProvider, makeKey, SsoIssuer } from '../../support/servers/sso-issuer.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the test of a provider of single sign-on', () => {
  const platform = usePlatform();
  let [issuer, tid, sequence]: [SsoIssuer, string, number] = [undefined as never, '', 0];
  beforeEach(async () => {
    [issuer, tid] = [await SsoIssuer.start(), `tid-${(sequence += 1)}`];
  });
  afterEach(() => issuer.close());

  it('succeeds where the issuer answers, and has keys', async () => {
    issuer.keys.push(makeKey('ES256'), { ...makeKey('RS256'), jwk: { kty: 'oct', k: 'AAAA' } });

    const { status, body } = await tryProvider(await addSsoProvider(platform, issuer, { tid }));

    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'The issuer answers, and has 2 usable keys.' });
  });

  it.each<[string, (broken: SsoIssuer) => void, string]>([
    [
      'is broken',
      (broken) => (broken.isBroken = true),
      'The issuer does not answer with its own OpenID configuration.',
    ],
    [
      'is another one',
      (broken) => (broken.configuration = { issuer: 'https://issuer.example' }),
      'The issuer does not answer with its own OpenID configuration.',
    ],
    [
      'has no place for browsers',
      (broken) => (broken.configuration = { authorization_endpoint: undefined }),
      'The issuer does not say where browsers sign in.',
    ],
    [
      'has no keys that count',
      (broken) => (broken.keys = []),
      'The issuer has no key that id tokens can be verified with.',
    ],
    [
      'has keys elsewhere',
      (broken) => (broken.configuration = { jwks_uri: 'https://10.0.0.1/keys' }),
      'The keys of the issuer cannot be read.',
    ],
  ])('fails where the issuer %s', async (_what, harm, message) => {
    harm(issuer);

    const provider = await addSsoProvider(platform, issuer, { tid });
    const { status, body } = await tryProvider(provider);

    const rows = await auditRows(platform, "action = 'identity_provider.test' AND target_id = $1", [provider]);
    expect([status, body]).toEqual([200, { success: false, message }]);
    expect(rows).toMatchObject([{ outcome: 'failure' }]);
  });

  it('of a tenant reaches no private address before a sysadmin has approved it', async () => {
    const { token } = await addSignedInAdmin(platform);
    const settings = { kind: 'sso', name: 'Own', tid, issuer: issuer.url, client_id: 'platform-client' };
    const made = await platform.request('POST', '/v1/admin/identity-providers', { token, body: settings });

    const before = await tryProvider(made.body.id, token);
    await tryProvider(made.body.id, undefined, 'approve');
    const asked = issuer.requests.length;
    const after = await tryProvider(made.body.id, token);

    expect([before.body.success, asked, after.body.success]).toEqual([false, 0, true]);
  });

  async function tryProvider(id: string, token?: string, action: 'test' | 'approve' = 'test'): Promise<RestAnswer> {
    const path = `/v1/admin/identity-providers/${id}/${action}`;
    return platform.request('POST', path, { token: token ?? (await platform.login()).access_token });
  }
});
