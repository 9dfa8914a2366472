import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSocket } from '../../support/builders/graphql-clients.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addApiToken } from '../../support/builders/accounts.js';

const [one, other, SHORT] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex'), 'x'.repeat(31)];
const KEYS = [newServiceKey('key_router', one), newServiceKey('key_ops', other), newServiceKey('key_short', SHORT)];

describe('service keys', () => {
  let platform: Platform;

  beforeAll(async () => {
    const SERVICE_KEYS = KEYS.map(({ entry }) => entry).join(', ');
    platform = await startPlatform({ NODE_ENV: 'production', SERVICE_KEYS });
  });
  afterAll(() => platform.close());

  it('read the schema of the subgraph in production, which nobody else does', async () => {
    const { access_token } = await platform.login();
    const { token } = await addApiToken(platform, access_token);

    expect(await sdl(`key_router.${one}`)).toContain('type User');
    expect(await sdl(`key_ops.${other}`)).toContain('type User');
    for (const credential of [undefined, access_token, token]) expect(await sdl(credential)).toBe(401);
  });

  it.each([
    `key_router.${other}`,
    `key_nobody.${one}`,
    `key_router.${one}x`,
    `key_router.${one.slice(1)}`,
    `key_router${one}`,
    `key_short.${SHORT}`,
    `router.${one}`,
    one,
    'key_router.',
  ])('are not %s', async (credential) => {
    expect(await sdl(credential)).toBe(401);
  });

  it('are valid for nothing else', async () => {
    const token = `key_router.${one}`;
    const endpoints = platform.app.endpoints.filter(
      ({ access }) => access.rule && access.rule.credential !== 'service',
    );

    for (const { method, path } of endpoints) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await platform.request(method, path.replace(/\{\w+\}/g, 'x'), { token, body });
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 401, 'unauthorized']);
    }
    for (const query of ['{ me { id } }', '{ models { id } }', '{ apiTokens { totalCount } }']) {
      const { body } = await platform.graphql(query, {}, token);
      expect(body.errors[0].extensions.status).toBe(401);
    }
  });

  it('open no introspection and no socket', async () => {
    const token = `key_router.${one}`;

    const { status } = await platform.graphql('{ __schema { queryType { name } } }', {}, token);
    const socket = openSocket(platform.url);
    const payload = { authorization: `Bearer ${token}` };
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));

    expect(status).toBe(400);
    expect((await once(socket, 'close'))[0]).toBe(4401);
  });

  it('do no harm where no credential is needed', async () => {
    const { status } = await platform.request('POST', '/v1/auth/login', {
      token: `key_router.${one}`,
      body: platform.admin,
    });

    expect(status).toBe(200);
  });

  it('are in no line of the log', () => {
    expect(platform.logLines.join('\n')).not.toContain(one);
  });

  async function sdl(token?: string) {
    const { body } = await platform.graphql('{ _service { sdl } }', {}, token);
    return body.errors?.[0].extensions.status ?? body.data._service.sdl;
  }
});
