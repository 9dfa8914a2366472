import { createHmac, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { User } from '../../../src/identity/users/user.entity.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { addSignedInUser, defaultTenantId, whoAmI } from '../../support/builders/accounts.js';
import { readToken, signClaims, unsigned } from '../../support/probes/forgery.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('access tokens', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('say exactly what was agreed', async () => {
    const { user } = await platform.login();

    const { header, claims } = readToken(token);

    expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.stringMatching(/^key_/) });
    expect(claims).toEqual({
      iss: 'private-ai-platform',
      aud: 'private-ai-platform',
      sub: user.id,
      tid: await defaultTenantId(platform),
      jti: expect.stringMatching(/^tok_/),
      sid: expect.stringMatching(/^[\w-]{22}$/),
      ver: 1,
      scope: '*',
      iat: expect.any(Number),
      exp: (claims.iat as number) + 3_600,
    });
  });

  it("verify with the published key and somebody else's code", async () => {
    const [header, claims, signature = ''] = token.split('.');

    const signed = Buffer.from(`${header}.${claims}`);
    const key = { key: await publicKey(), dsaEncoding: 'ieee-p1363' } as const;

    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('are published with nothing private', async () => {
    const { status, body } = await platform.request('GET', '/.well-known/jwks.json');

    expect(status).toBe(200);
    expect(body).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: readToken(token).header.kid,
          alg: 'ES256',
          use: 'sig',
        },
      ],
    });
  });

  it('name the installation by its public address where that is known', async () => {
    const other = await startPlatform({ PUBLIC_URL: 'https://ai.example.test/' });
    const { access_token } = await other.login();

    expect(readToken(access_token).claims.iss).toBe('https://ai.example.test');
    expectRefused(await use(access_token));
    await other.close();
  });

  it('are refused without a signature', async () => {
    const { header, claims } = readToken(token);

    for (const alg of ['none', 'None', 'NONE']) {
      expectRefused(await use(`${unsigned({ ...header, alg }, claims)}.`));
      expectRefused(await use(`${unsigned({ ...header, alg }, claims)}.${token.split('.')[2]}`));
    }
  });

  it('are refused when the public key was used as an HMAC secret', async () => {
    const { header, claims } = readToken(token);
    const input = unsigned({ ...header, alg: 'HS256' }, claims);
    const pem = (await publicKey()).export({ format: 'pem', type: 'spki' });

    const signature = createHmac('sha256', pem).update(input).digest('base64url');

    expectRefused(await use(`${input}.${signature}`));
  });

  it('are refused when somebody else has signed them', async () => {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { header, claims } = readToken(token);

    for (const kid of [header.kid, 'key_00000000000000000000000000', undefined, 7, '__proto__']) {
      const input = unsigned({ ...header, kid }, claims);
      const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
      expectRefused(await use(`${input}.${signature}`));
    }
  });

  it('are refused when a claim was changed', async () => {
    const { header, claims } = readToken(token);

    expectRefused(await use(`${unsigned(header, { ...claims, ver: 2 })}.${token.split('.')[2]}`));
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['another audience', { aud: 'another-service' }, undefined],
    ['no audience', { aud: undefined }, undefined],
    ['another issuer', { iss: 'https://elsewhere.example.test' }, undefined],
    ['a user that does not exist', { sub: 'usr_00000000000000000000000000' }, 'token_revoked'],
    ['an older version of the user', { ver: 0 }, 'token_revoked'],
    ['a time that is over', { iat: 1_000, exp: 4_600 }, 'token_expired'],
  ])('are refused for %s, though the signature is ours', async (_, changes, reason) => {
    expectRefused(await use(await signClaims(platform, token, changes)), reason);
  });

  it('end at their time, also when they have been used before', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const signed = await signClaims(platform, token, { exp });
    const clock = jest.spyOn(Date, 'now');

    clock.mockReturnValue(exp * 1_000 - 1);
    const before = await use(signed);
    clock.mockReturnValue(exp * 1_000);
    const after = await use(signed);
    clock.mockRestore();

    expect(before.status).toBe(200);
    expectRefused(after, 'token_expired');
  });

  it('are refused for users who were suspended before they first used it', async () => {
    const user = await addSignedInUser(platform);
    await platform.app.database.dataSource.getRepository(User).update({ id: user.id }, { status: 'suspended' });

    expectRefused(await use(user.token), 'token_revoked');
  });

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', '..', 'e30.e30.e30', `${'x'.repeat(4_000)}.y.z`, 'svc_x.y', 'key_x.y'])(
    'are not %j',
    async (credential) => {
      expectRefused(await use(credential));
    },
  );

  it('come in the Authorization header as Bearer, in any case', async () => {
    const withHeader = (authorization: string) =>
      platform.request('GET', '/v1/auth/me', { headers: { authorization } });

    expect((await withHeader(`bearer ${token}`)).status).toBe(200);
    expectRefused(await withHeader(token));
    expectRefused(await withHeader(`Basic ${token}`));
    expectRefused(await withHeader(`Bearer ${token} more`));
    expectRefused(await platform.request('GET', `/v1/auth/me?access_token=${token}`));
  });

  function use(credential: string) {
    return whoAmI(platform, credential);
  }

  async function publicKey() {
    const { body } = await platform.request('GET', '/.well-known/jwks.json');
    return createPublicKey({ key: body.keys[0], format: 'jwk' });
  }

  function expectRefused({ status, body, headers }: RestAnswer, reason?: string) {
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body.error).toMatchObject({ type: 'permission_error', code: 'unauthorized' });
    expect(body.error.reason).toBe(reason);
  }
});
