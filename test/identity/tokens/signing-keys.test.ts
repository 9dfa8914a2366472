import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SigningKey } from '../../../src/identity/tokens/signing-key.entity.js';
import { ConfigError } from '../../../src/platform/config/config.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { whoAmI } from '../../support/builders/accounts.js';
import { readToken } from '../../support/probes/forgery.js';
import { createIdentity } from '../../support/servers/identity-host.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;

describe('signing keys', () => {
  const platform = usePlatform({ SIGNING_KEY_DAYS: '30' });

  beforeEach(makeFirstKey);

  it('stay the same over a restart', async () => {
    const before = await published();
    const { access_token } = await platform.login();

    await platform.restart();

    expect(await published()).toEqual(before);
    expect(await statusOf(access_token)).toBe(200);
  });

  it('lie in the database sealed', async () => {
    const [row] = await keys().find();

    expect(row?.privateSealed.toString('latin1')).not.toContain(Buffer.from('302e020100', 'hex').toString('latin1'));
    expect(row?.publicJwk).not.toHaveProperty('d');
  });

  it('get a successor that is published before it signs', async () => {
    const { access_token: older } = await platform.login();

    const successor = await rotate();

    const { access_token: newer } = await platform.login();
    const [first] = await published();
    expect(await published()).toEqual([first, successor]);
    expect(readToken(newer).header.kid).toBe(first);
    expect(await statusOf(older)).toBe(200);
    const rows = await keys().find({ order: { activatesAt: 'ASC' } });
    expect(rows[1]?.activatesAt.getTime()).toBeGreaterThan(Date.now() + 9 * MINUTE_MS);
    expect(rows[0]?.retiresAt?.getTime()).toBeGreaterThan((rows[1]?.activatesAt.getTime() ?? 0) + 60 * MINUTE_MS);
  });

  it('verify what they have signed after their successor has taken over', async () => {
    const { access_token: older } = await platform.login();
    const successor = await rotate();

    await keys().update({ kid: successor }, { activatesAt: new Date() });
    await platform.restart();

    const { access_token: newer } = await platform.login();
    expect(readToken(newer).header.kid).toBe(successor);
    expect([await statusOf(older), await statusOf(newer)]).toEqual([200, 200]);
  });

  it('are forgotten when the last token that they have signed has expired', async () => {
    const { access_token: older } = await platform.login();
    const successor = await rotate();
    const kid = readToken(older).header.kid as string;

    await keys().update({ kid: successor }, { activatesAt: new Date() });
    await keys().update({ kid }, { retiresAt: new Date(Date.now() - MINUTE_MS) });
    await checkKeys();

    expect(await published()).toEqual([successor]);
    expect(await statusOf(older)).toBe(401);
  });

  it('do not multiply when the server starts often', async () => {
    await rotate();

    await platform.restart();

    expect(await published()).toHaveLength(2);
  });

  it('stop the start when the secret key is another one', async () => {
    const { config, app } = platform;
    const secretBox = new SecretBox(randomBytes(32));

    const start = createIdentity(config, app.database, secretBox);

    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow('SECRET_KEY');
  });

  function keys() {
    return platform.app.database.dataSource.getRepository(SigningKey);
  }

  async function published(): Promise<string[]> {
    const { body } = await platform.request('GET', '/.well-known/jwks.json');
    return body.keys.map((key: { kid: string }) => key.kid);
  }

  async function statusOf(token: string) {
    return (await whoAmI(platform, token)).status;
  }

  /** What the server does by itself from time to time, and when it starts. */
  function checkKeys(): Promise<void> {
    return platform.runTask('the check of the signing keys');
  }

  /** Makes one key in the place of all that there are. */
  async function makeFirstKey(): Promise<void> {
    await keys().deleteAll();
    await checkKeys();
  }

  /** Makes the only key old enough for a successor, and gives it one. */
  async function rotate(): Promise<string> {
    await keys().updateAll({ createdAt: new Date(Date.now() - 31 * DAY_MS) });
    await checkKeys();
    return (await keys().find({ order: { activatesAt: 'DESC' } }))[0]?.kid ?? '';
  }
});
