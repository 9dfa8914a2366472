import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSocketAs } from '../../support/builders/graphql-clients.js';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import type { RestAnswer } from '../../support/servers/platform.js';
import { addApiToken, rotateApiToken } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const REQUESTS_PER_SECOND = 500;

describe('rotating a personal access token', () => {
  const platform = usePlatform();
  let jwt: string;

  beforeAll(async () => {
    jwt = (await platform.login()).access_token;
  });

  it('fails no request under load, with either secret, until the grace ends', async () => {
    const { id, token: first } = await addApiToken(platform, jwt);
    const client = new Pool(platform.url, { connections: 20 });
    const outcomes: [string, number][] = [];
    let current = [first];
    let inFlight = 0;
    const send = async (token: string) => {
      inFlight += 1;
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode, body } = await client.request({ method: 'GET', path: '/v1/models', headers });
      await body.dump();
      outcomes.push([token === first ? 'old' : 'new', statusCode]);
      inFlight -= 1;
    };
    let due = performance.now();
    const load = setInterval(() => {
      for (; due < performance.now(); due += 1_000 / REQUESTS_PER_SECOND) {
        // A machine that cannot keep up sends less, not later: an old secret must not arrive after its end.
        if (inFlight < 20) void send(current[outcomes.length % current.length] as string);
      }
    }, 2);
    const { socket, closed } = await openSocketAs({ url: platform.url, token: first });

    await wait(500);
    const graceEnd = Date.now() + 2_000;
    const { token: second } = await rotateApiToken(platform, jwt, id, 2);
    current = [first, second];
    await wait(1_000);
    current = [second];
    const code = await closed;
    const closedAt = Date.now();
    clearInterval(load);
    while (inFlight > 0) await wait(10);
    await client.close();

    expect(outcomes.filter(([, status]) => status !== 200)).toEqual([]);
    expect(new Set(outcomes.map(([secret]) => secret))).toEqual(new Set(['old', 'new']));
    expect(outcomes.length).toBeGreaterThan(200);
    expect(code).toBe(4403);
    expect(closedAt).toBeGreaterThanOrEqual(graceEnd);
    expect(socket.readyState).toBe(WebSocket.CLOSED);
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
