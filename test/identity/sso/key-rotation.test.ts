import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IdTokenVerifier } from '../../../src/identity/sso/id-token-verifier.js';
import { IssuerClient } from '../../../src/identity/sso/issuer-client.js';
import { Issuers } from '../../../src/identity/sso/issuers.js';
import { AUDIENCE, makeKey, SsoIssuer, TID } from '../../support/servers/sso-issuer.js';

describe('a rotation of the keys of an issuer', () => {
  let issuer: SsoIssuer;
  const clock = { now: 1_000_000 };
  beforeEach(async () => void (issuer = await SsoIssuer.start()));
  afterEach(() => issuer.close());

  it('counts at once for a key that is new, and after ten minutes for one that is gone', async () => {
    const [verify, old] = [verifier(), issuer.token('ada')];
    await verify(old);
    issuer.keys = [makeKey('PS256')];
    clock.now += 11_000;

    const news = await verify(issuer.token('ada'));
    const afterwards = verify(old);

    expect(news.oid).toBe('ada');
    await expect(afterwards).rejects.toThrow('does not publish the key');
  });

  it('asks for the keys every ten seconds at most, however many tokens name unknown ones', async () => {
    const verify = verifier();
    await verify(issuer.token('ada'));
    const known = issuer.keys;
    clock.now += 11_000;
    for (let count = 0; count < 20; count += 1) {
      issuer.keys = [makeKey('ES256')];
      const token = issuer.token('ada');
      issuer.keys = known;
      await expect(verify(token)).rejects.toThrow('does not publish the key');
    }

    expect(issuer.requests.filter((path) => path === '/keys')).toHaveLength(2);
  });

  it('is no matter while the issuer is away: the known keys go on for an hour', async () => {
    const verify = verifier();
    await verify(issuer.token('ada'));
    issuer.isBroken = true;
    clock.now += 55 * 60_000;
    const during = await verify(issuer.token('ada'));
    clock.now += 10 * 60_000;

    expect(during.oid).toBe('ada');
    await expect(verify(issuer.token('ada'))).rejects.toThrow('cannot be reached');
  });

  /** Verifies tokens of the issuer, by a clock of the cache that the test sets. */
  function verifier() {
    const issuers = new Issuers(new IssuerClient({ egressAllow: [], egressPorts: undefined }), () => clock.now);
    const settings = { kind: 'sso', name: 'Contoso', domains: [], tid: TID, issuer: issuer.url } as const;
    const provider = {
      id: 'dir_1',
      tenantId: 'ten_1',
      approved: true,
      isActive: true,
      revision: 1,
      settings: { ...settings, domains: [] },
    };
    const verifying = new IdTokenVerifier(issuers);
    return (token: string) => verifying.verify(provider, token, { audience: AUDIENCE });
  }
});
