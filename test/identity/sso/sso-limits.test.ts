import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform, RestAnswer } from '../../support/servers/platform.js';
import { addSsoProvider, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';
import { signProxy } from '../../support/servers/sso-proxy.js';

describe('failed proofs', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform({ TRUST_PROXY: '127.0.0.1' }), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer);
  });
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it('of strangers lock nobody out whom they claim to be, also in the same network', async () => {
    const strangers = await times(29, (index) => signIn('192.0.2.1', { id_token: `false.proof.${index}` }));
    const forgers = await times(29, () => signIn('192.0.2.2', {}, signProxy(WHO, { secret: 'not of the proxy' })));
    const nothing = await times(29, () => signIn('192.0.2.3', {}));

    const answers = await Promise.all(
      [1, 2, 3, 4].map((network) => signIn(`192.0.2.${network}`, { id_token: issuer.token(WHO.oid) })),
    );

    expect(new Set([...strangers, ...forgers, ...nothing])).toEqual(new Set([401]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('of one network are 429 from the thirty-first on, whomever they are for, and others go on', async () => {
    const statuses = await times(31, (index) =>
      signIn('198.51.100.1', { id_token: 'no.such.proof', oid: `o${index}` }),
    );
    const others = await times(20, (index) =>
      signIn('198.51.100.1', { id_token: `n.o.proof${index}`, oid: `${index}` }),
    );

    const here = await signIn('198.51.100.1', { id_token: issuer.token(WHO.oid) });
    const elsewhere = await signIn('198.51.100.2', { id_token: issuer.token(WHO.oid) });

    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(others.filter((status) => status === 401)).toHaveLength(20);
    expect([here.status, elsewhere.status]).toEqual([429, 200]);
  });

  it('that are one and the same count from wherever they come', async () => {
    const token = issuer.token(WHO.oid, { aud: 'another-client' });
    const statuses = await times(12, (index) => signIn(`203.0.113.${index}`, { id_token: token }));

    const proper = await signIn('203.0.113.1', { id_token: issuer.token(WHO.oid) });

    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(proper.status).toBe(200);
  });

  function signIn(address: string, body: object, headers: object = {}): Promise<RestAnswer> {
    return platform.request('POST', '/v1/auth/sso', {
      body: { ...WHO, ...body },
      headers: { ...headers, 'x-forwarded-for': address },
    });
  }
});

const WHO = { oid: 'victim', tid: TID, upn: 'victim@contoso.example' };

/** The statuses, one after another. */
async function times(count: number, ask: (index: number) => Promise<RestAnswer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status);
  return statuses;
}
