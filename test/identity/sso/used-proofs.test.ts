import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onPostgres } from '../../support/servers/services.js';
import { addSsoProvider, makeKey, signInByToken, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';
import { signProxy } from '../../support/servers/sso-proxy.js';

describe('a proof that was used', () => {
  let [platform, issuer]: [Platform, SsoIssuer] = [] as never;
  beforeAll(async () => {
    [platform, issuer] = [await startPlatform(), await SsoIssuer.start()];
    await addSsoProvider(platform, issuer);
  });
  afterAll(() => Promise.all([platform.close(), issuer.close()]));

  it('is refused after a restart, too', async () => {
    const person = { oid: 'ada', tid: TID, upn: 'ada@contoso.example' };
    const [token, headers] = [issuer.token('ada'), signProxy(person)];
    const attempt = async () => [
      (await signInByToken(platform, 'ada', token)).status,
      (await platform.request('POST', '/v1/auth/sso', { body: person, headers })).status,
    ];
    const before = await attempt();
    await platform.restart();

    const after = await attempt();

    expect([before, after]).toEqual([
      [200, 200],
      [401, 401],
    ]);
  });

  it('counts for one of those who send it at the same moment', async () => {
    await signInByToken(platform, 'bob', issuer.token('bob'));
    const token = issuer.token('bob');

    const answers = await Promise.all(Array.from({ length: 8 }, () => signInByToken(platform, 'bob', token)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is the same with another signature that holds', async () => {
    const other = await SsoIssuer.start();
    other.keys = [makeKey('ES256')];
    await addSsoProvider(platform, other, { tid: 'elliptic' });
    const token = other.token('eve', { tid: 'elliptic' });
    const first = await signInByToken(platform, 'eve', token, { tid: 'elliptic' });

    const second = await signInByToken(platform, 'eve', mirrored(token), { tid: 'elliptic' });

    await other.close();
    expect(mirrored(token)).not.toBe(token);
    expect([first.status, second.status]).toEqual([200, 401]);
    expect(platform.logLines.at(-2) ?? '').not.toContain('ERR_JWS_SIGNATURE');
  });

  it('is remembered by a hash alone, for as long as its age would not tell', async () => {
    const token = issuer.token('max');
    await signInByToken(platform, 'max', token);

    const rows = await platform.query<{ hash: string; expires_at: Date }>('SELECT * FROM used_sso_proofs');
    expect(rows.length).toBeGreaterThan(0);
    for (const { hash, expires_at: end } of rows) {
      expect(hash).toMatch(/^[\w-]{43}$/);
      expect(end.getTime()).toBeGreaterThan(Date.now() + 60_000);
      expect(end.getTime()).toBeLessThan(Date.now() + 10 * 60_000);
    }
  });

  onPostgres.it('is refused by another process', async () => {
    const replica = await platform.startReplica();
    const token = issuer.token('tom');

    const answers = [await signInByToken(platform, 'tom', token), await signInByToken(replica, 'tom', token)];

    await replica.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });
});

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A token of ES256 with the other signature that its key would accept: r and n - s. */
function mirrored(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(at), 'base64url');
  const s = ORDER - BigInt(`0x${signature.subarray(32).toString('hex')}`);
  const other = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return token.slice(0, at) + other.toString('base64url');
}
