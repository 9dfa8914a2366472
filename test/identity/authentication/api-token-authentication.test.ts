import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { ApiToken } from '../../../src/identity/tokens/api-token.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import { newId } from '../../../src/platform/ids.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform, RestAnswer } from '../../support/platform.js';
import { chunk, startScriptedBackend, stream } from '../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../support/scripted-backend.js';
import { addApiToken, addTenant, addUser, defaultTenantId, signIn } from '../../support/accounts.js';

describe('a personal access token as credential', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let jwt: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    jwt = (await platform.login()).access_token;
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('stands for its user', async () => {
    const { token } = await addApiToken(platform, jwt);

    const { status, body } = await use(token);
    const { body: graphql } = await platform.graphql('{ me { email } }', {}, token);

    expect([status, body.email]).toEqual([200, platform.admin.email]);
    expect(graphql.data.me.email).toBe(platform.admin.email);
  });

  it('is looked up once', async () => {
    const { token } = await addApiToken(platform, jwt);
    const lookUps = countLookUps();

    for (let turn = 0; turn < 5; turn += 1) expect((await use(token)).status).toBe(200);

    expect(lookUps()).toBe(1);
  });

  it('is refused by its form alone', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    const secret = token.split('.')[1] ?? '';
    const lookUps = countLookUps();

    const malformed = [
      `svc_${id}`,
      `svc_${id}.`,
      `svc_${id}.${secret.slice(1)}`,
      `svc_${id}.${secret}x`,
      `svc_${id}.${secret}.x`,
      `svc_${id.toUpperCase()}.${secret}`,
      `svc_${id.slice(4)}.${secret}`,
      `svc_usr_${id.slice(4)}.${secret}`,
      `SVC_${id}.${secret}`,
      `${id}.${secret}`,
      `svc_tok_${'z'.repeat(26)}.${secret}`,
      'svc_.',
      `svc_${'x'.repeat(4_000)}`,
    ];
    for (const credential of malformed) expectRefused(await use(credential));

    expect(lookUps()).toBe(0);
  });

  it('is refused with the secret of another, and is no worse for it', async () => {
    const [one, other] = [await addApiToken(platform, jwt), await addApiToken(platform, jwt)];

    expectRefused(await use(`svc_${one.id}.${other.token.split('.')[1]}`));
    expectRefused(await use(`svc_${one.id}.${newSecret()}`));

    expect([(await use(one.token)).status, (await use(other.token)).status]).toEqual([200, 200]);
  });

  it('is found quickly in a flood of tokens that do not exist', async () => {
    const { token } = await addApiToken(platform, jwt);
    const { authenticator } = platform.app.ports;
    const bad = Array.from({ length: 2_000 }, () => `Bearer svc_${newId('tok')}.${newSecret()}`);
    const lookUps = countLookUps();

    const flood = Promise.allSettled(bad.map((authorization) => authenticator.verify(authorization)));
    const good = await authenticator.verify(`Bearer ${token}`);
    const refused = await flood;
    const again = await Promise.allSettled(bad.map((authorization) => authenticator.verify(authorization)));

    expect(good.credential).toBe('pat');
    expect([...refused, ...again].every(({ status }) => status === 'rejected')).toBe(true);
    expect(lookUps()).toBeLessThanOrEqual(12);
  });

  it('is not looked up again and again with a wrong secret', async () => {
    const { id } = await addApiToken(platform, jwt);
    const wrong = `svc_${id}.${newSecret()}`;
    const lookUps = countLookUps();

    for (let turn = 0; turn < 5; turn += 1) expectRefused(await use(wrong));

    expect(lookUps()).toBe(1);
  });

  it('has expired at its time, also when it has been used before', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    const expiresAt = new Date(Date.now() + 800);
    await tokens().update({ id }, { expiresAt });
    expect((await use(token)).status).toBe(200);
    const { closed } = await openSocket(token);

    expect((await closed)[0]).toBe(4403);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expectRefused(await use(token), 'token_expired');
  });

  it('that has expired is told so to those who know its secret alone', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    await tokens().update({ id }, { expiresAt: new Date(Date.now() - 1_000) });

    expectRefused(await use(token), 'token_expired');
    expectRefused(await use(`svc_${id}.${newSecret()}`));
  });

  it('ends at once when it is deleted, sockets and streams included', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    const { closed } = await openSocket(token);
    backend.answer(stream(chunk({ content: 'Hel' }), new Promise(() => undefined)));
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Say hello.' }] }),
    });

    const deletedAt = performance.now();
    await remove(id);

    expect((await closed)[0]).toBe(4403);
    const text = await response.text();
    expect(text).toContain('"reason":"token_revoked"');
    expect(text).not.toContain('[DONE]');
    expect(performance.now() - deletedAt).toBeLessThan(1_000);
    expectRefused(await use(token), 'token_revoked');
  });

  it('that is deleted is told so to those who know its secret alone, also after a restart', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    await remove(id);

    await platform.restart();

    expectRefused(await use(token), 'token_revoked');
    expectRefused(await use(`svc_${id}.${newSecret()}`));
  });

  it('does nothing for users who are suspended, and works again when they are not', async () => {
    const user = await addUser(platform, await defaultTenantId(platform));
    const { token } = await addApiToken(platform, (await signIn(platform, user.email)).access_token);

    await users().update({ id: user.id }, { status: 'suspended' });
    expectRefused(await use(token), 'token_revoked');
    await users().update({ id: user.id }, { status: 'active', userVersion: 2 });

    expect((await use(token)).status).toBe(200);
  });

  it('is worth nothing without its user', async () => {
    const user = await addUser(platform, await defaultTenantId(platform));
    const { token } = await addApiToken(platform, (await signIn(platform, user.email)).access_token);

    await users().delete({ id: user.id });

    expectRefused(await use(token));
  });

  it('gives no privilege that its user does not have', async () => {
    const tenantId = await addTenant(platform);
    const user = await addUser(platform, tenantId, { privileges: ['user', 'admin'] });
    const { token } = await addApiToken(platform, (await signIn(platform, user.email)).access_token);
    const readTenant = async () => (await platform.request('GET', `/v1/admin/tenants/${tenantId}`, { token })).status;
    expect(await readTenant()).toBe(200);

    await users().update({ id: user.id }, { privileges: ['user'] });
    await platform.restart();

    expect(await readTenant()).toBe(403);
  });

  it('tells when it was last used, though no request waits for it', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    const lastUsedAt = async () => (await tokens().findOneByOrFail({ id })).lastUsedAt;
    const query = jest.spyOn(platform.app.database.dataSource, 'query');
    const startedAt = Date.now();

    for (let turn = 0; turn < 20; turn += 1) await use(token);
    while (!(await lastUsedAt())) await use(token);

    expect((await lastUsedAt())?.getTime()).toBeGreaterThanOrEqual(startedAt);
    expect(query.mock.calls.filter(([sql]) => sql.includes('UPDATE api_tokens'))).toHaveLength(1);
  });

  it('has its last use written when the server stops', async () => {
    const { id, token } = await addApiToken(platform, jwt);

    await use(token);
    await platform.restart();

    expect((await tokens().findOneByOrFail({ id })).lastUsedAt).not.toBeNull();
  });

  function use(token: string) {
    return platform.request('GET', '/v1/auth/me', { token });
  }

  function remove(id: string) {
    return platform.request('DELETE', `/v1/api-tokens/${id}`, { token: jwt });
  }

  function tokens() {
    return platform.app.database.dataSource.getRepository(ApiToken);
  }

  function users() {
    return platform.app.database.dataSource.getRepository(User);
  }

  function expectRefused({ status, body, headers }: RestAnswer, reason?: string) {
    expect([status, body.error.code, body.error.reason]).toEqual([401, 'unauthorized', reason]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  }

  /** How often tokens are looked up from now on. */
  function countLookUps() {
    const query = jest.spyOn(platform.app.database.dataSource, 'query');
    return () => query.mock.calls.filter(([sql]) => sql.includes('FROM api_tokens AS token')).length;
  }

  async function openSocket(token: string) {
    const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const payload = { authorization: `Bearer ${token}` };
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toEqual({ type: 'connection_ack' });
    return { closed: once(socket, 'close') as Promise<[number]> };
  }
});

function newSecret() {
  return randomBytes(32).toString('base64url');
}
