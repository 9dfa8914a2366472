import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, RestAnswer, RestOptions } from '../../support/servers/platform.js';
import { forgeries } from '../../support/builders/sso-forgeries.js';
import type { Setting } from '../../support/builders/sso-forgeries.js';
import { addSsoProvider, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';
import { refusals } from '../../support/probes/sso-refusals.js';
import type { IssuerKey } from '../../support/servers/sso-issuer.js';

describe('a forged or stale proof', () => {
  let [platform, issuer, refusal]: [Platform, SsoIssuer, unknown] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform({ TRUST_PROXY: '127.0.0.1' }), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer);
    refusal = told(await send(0, { body: { oid: 'o', tid: 'nobody', upn: 'o@contoso.example' } }));
  });
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it.each(forgeries().map(([name, make], index) => [name, make, index + 1] as const))(
    'is answered like no proof at all: %s',
    async (_name, make, index) => {
      const who = { oid: `oid-${index}`, tid: TID, upn: `oid-${index}@contoso.example` };
      const { body, headers } = await make({ who, issuer, key: issuer.keys[0] as IssuerKey, send: genuine(index) });

      const answer = await send(index, { body: { ...who, ...body }, headers });

      expect(told(answer)).toEqual(refusal);
      expect(refusals(platform).at(-1)?.reason).toMatch(/^[A-Z][^"]+\.$/);
    },
  );

  it.each([
    ['issued too long ago', { iat: -500 }, /more than five minutes ago or in the future.*compare the clocks/],
    ['issued in the future', { iat: 120 }, /in the future.*compare the clocks/],
    ['over', { exp: -90 }, /has expired.*compare the clocks/],
    ['not valid yet', { nbf: 120 }, /not valid yet: compare the clocks/],
  ])('is told of as one of a wrong clock in the log where it is %s', async (_when, seconds, reason) => {
    const now = Math.floor(Date.now() / 1_000);
    const times = Object.fromEntries(Object.entries(seconds).map(([name, offset]) => [name, now + offset]));
    const who = { oid: 'late', tid: TID, upn: 'late@contoso.example' };

    const { status } = await send(250, { body: { ...who, id_token: issuer.token('late', times) } });

    expect(status).toBe(401);
    expect(refusals(platform).at(-1)?.reason).toMatch(reason);
  });

  it('is told as one 401', () => {
    expect(forgeries().length).toBeGreaterThanOrEqual(40);
    expect(refusal).toMatchObject({
      status: 401,
      body: { error: { type: 'permission_error', code: 'unauthorized' } },
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  it('makes nobody, but for the few whose genuine proof came before', async () => {
    const rows = await platform.query('SELECT FROM users WHERE external_id IS NOT NULL');

    const usedBefore = forgeries().filter(([name]) => name.includes('second time')).length;
    expect(rows.length).toBe(usedBefore);
  });

  /** Each from another address, since failures are counted. */
  function send(index: number, options: RestOptions): Promise<RestAnswer> {
    const headers = { ...options.headers, 'x-forwarded-for': `192.0.2.${index}` };
    return platform.request('POST', '/v1/auth/sso', { ...options, headers });
  }

  function genuine(index: number): Setting['send'] {
    return async (options) => {
      const { status } = await send(index, options);
      if (status !== 200) throw new Error('The genuine proof was refused.');
    };
  }
});

/** What a client is told, but for what no two answers share. */
function told({ status, body, headers }: RestAnswer): unknown {
  const { date: _date, 'x-request-id': _id, ...others } = Object.fromEntries(headers);
  return { status, body, headers: others };
}
