import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSocketAs } from '../../support/builders/graphql-clients.js';
import { WebSocket } from 'ws';
import type { RestAnswer } from '../../support/servers/platform.js';
import { addApiToken, rotateApiToken } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('rotating a personal access token', () => {
  const platform = usePlatform();
  let jwt: string;

  beforeAll(async () => {
    jwt = (await platform.login()).access_token;
  });

  it('ends the old secret at once without a grace, known or not', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    await use(first);

    const { token: second } = await rotateApiToken(platform, jwt, id, 0);
    expectRefused(await use(first), 'token_expired');
    const { token: third } = await rotateApiToken(platform, jwt, id, 0);

    expectRefused(await use(second), 'token_expired');
    expect((await use(third)).status).toBe(200);
  });

  it('leaves two valid secrets at most: the third ends the first, its sockets included', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    const { token: second } = await rotateApiToken(platform, jwt, id);
    const { closed } = await openSocketAs({ url: platform.url, token: first });
    const other = await openSocketAs({ url: platform.url, token: second });

    const { token: third } = await rotateApiToken(platform, jwt, id);

    expect(await closed).toBe(4403);
    expectRefused(await use(first));
    expect([(await use(second)).status, (await use(third)).status]).toEqual([200, 200]);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    other.socket.terminate();
  });

  it('ends every secret when the token is deleted', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    const { token: second } = await rotateApiToken(platform, jwt, id);

    await platform.request('DELETE', `/v1/api-tokens/${id}`, { token: jwt });

    expectRefused(await use(first), 'token_revoked');
    expectRefused(await use(second), 'token_revoked');
  });

  it('lets one of several at once win, and the others follow', async () => {
    const { id } = await addApiToken(platform, jwt);

    const rotations = await Promise.all([1, 2, 3].map(() => rotateApiToken(platform, jwt, id)));

    const statuses = await Promise.all(rotations.map(async ({ token }) => (await use(token)).status));
    expect(statuses.sort()).toEqual([200, 200, 401]);
  });

  it('keeps the end of the grace over a restart', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    const { token: second } = await rotateApiToken(platform, jwt, id, 3_600);
    const { token: third } = await rotateApiToken(platform, jwt, id, 3_600);

    await platform.restart();

    expectRefused(await use(first));
    expect([(await use(second)).status, (await use(third)).status]).toEqual([200, 200]);
  });

  it('ends the old secret with the grace, its sockets included', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    const { closed } = await openSocketAs({ url: platform.url, token: first });
    const graceEnd = Date.now() + 1_000;

    const { token: second } = await rotateApiToken(platform, jwt, id, 1);

    expect(await closed).toBe(4403);
    expect(Date.now()).toBeGreaterThanOrEqual(graceEnd);
    expectRefused(await use(first), 'token_expired');
    expect((await use(second)).status).toBe(200);
  });

  function use(token: string) {
    return platform.request('GET', '/v1/models', { token });
  }

  function expectRefused({ status, body }: RestAnswer, reason?: string) {
    return expect([status, body.error?.reason]).toEqual([401, reason]);
  }
});
