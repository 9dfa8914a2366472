import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/probes/eventually.js';
import { metricValue } from '../support/probes/metrics.js';
import { openRaw } from '../support/probes/raw-client.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform, useTenant } from '../support/servers/use-servers.js';

const MEBIBYTE = 1024 * 1024;

describe('bodies of one user that have not come whole', () => {
  it.each([
    ['/v1/chat/completions', `content-length: ${MEBIBYTE}`],
    ['/v1/chat/completions', 'transfer-encoding: chunked'],
    ['/graphql', `content-length: ${MEBIBYTE}`],
  ])('take no more memory than its share, at %s with %s', async (path, length) => {
    using _ = await begin(path, length);
    await eventually('the body has its memory', 5, async () => (await held()) === MEBIBYTE);

    const refused = await ask(ann, 'x'.repeat(20_000));

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await ask(ann, 'short')).status).toBe(200);
    expect((await ask(bob, 'x'.repeat(20_000))).status).toBe(200);
  });

  it('give it back when they are answered, or left', async () => {
    (await begin('/v1/chat/completions', `content-length: ${MEBIBYTE}`))[Symbol.dispose]();
    await eventually('the memory is free', 5, async () => (await held()) === 0);

    expect((await ask(ann, 'x'.repeat(20_000))).status).toBe(200);
    await eventually('the memory is free again', 5, async () => (await held()) === 0);
  });

  const service = newServiceKey();
  const platform = usePlatform({
    ...service.env,
    MAX_JSON_BYTES: String(MEBIBYTE),
    HELD_JSON_BYTES: String(4 * MEBIBYTE),
  });
  const tenant = useTenant(platform);
  let [ann, bob] = ['', ''];
  beforeAll(() => {
    [ann, bob] = [tenant.user.token, tenant.admin.token];
  });

  const held = (): Promise<number> => metricValue(platform, service.key, 'platform_json_body_bytes');

  async function begin(path: string, length: string): Promise<Socket & Disposable> {
    const socket = await openRaw(platform.url);
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ann}\r\ncontent-type: application/json`;
    socket.write(`${head}\r\n${length}\r\n\r\n`);
    return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
  }

  function ask(token: string, content: string): Promise<Response> {
    return fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'builtin-extractive', messages: [{ role: 'user', content }] }),
    });
  }
});
