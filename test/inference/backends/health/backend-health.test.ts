import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { addUser, defaultTenantId, signIn } from '../../../support/accounts.js';
import { htmlPage, startScriptedBackend } from '../../../support/scripted-backend.js';
import type { ScriptedBackend } from '../../../support/scripted-backend.js';
import { startPlatform } from '../../../support/platform.js';
import type { Platform } from '../../../support/platform.js';

describe('the health of backends', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeEach(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    token = (await platform.login()).access_token;
  });
  afterEach(async () => {
    await platform.close();
    await backend.close().catch(() => undefined);
  });

  it('is told when it changes', async () => {
    await ask();
    const client = createClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const changes = client.iterate<{ backendHealthChanged: object }>({
      query: 'subscription { backendHealthChanged { backend healthy models } }',
    });
    const first = changes.next();
    // The subscription runs as soon as the socket is there; a query on it comes after it.
    for await (const _ of client.iterate({ query: '{ models { id } }' }));
    const { port } = backend;

    await backend.close();
    await ask();
    const down = await first;
    const second = changes.next();
    await backend.listen(port);
    await ask();
    const up = await second;
    await changes.return?.();
    await client.dispose();

    expect(down.value.data.backendHealthChanged).toEqual({ backend: 'openai', healthy: false, models: ['scripted'] });
    expect(up.value.data.backendHealthChanged).toEqual({ backend: 'openai', healthy: true, models: ['scripted'] });
  });

  it('is told when a circuit opens and closes, and by the list of backends', async () => {
    const tenantId = await defaultTenantId(platform);
    const users: string[] = [];
    while (users.length < 3) {
      users.push((await signIn(platform, (await addUser(platform, tenantId)).email)).access_token);
    }
    const client = createClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const changes = client.iterate<{ backendHealthChanged: object }>({
      query: 'subscription { backendHealthChanged { backend healthy models } }',
    });
    const first = changes.next();
    // The subscription runs as soon as the socket is there; a query on it comes after it.
    for await (const _ of client.iterate({ query: '{ models { id } }' }));
    const listed = async (): Promise<boolean> => {
      const { body } = await platform.request('GET', '/v1/backends', { token });
      return body.data.find(({ backend: name }: { backend: string }) => name === 'openai').healthy;
    };
    backend.byDefault = () => htmlPage(502);
    for (const user of users) await ask(user);
    const down = [(await first).value.data.backendHealthChanged, await listed()];
    const second = changes.next();

    // The prober finds that the server is there, although nobody asks for anything.
    const up = [(await second).value.data.backendHealthChanged, await listed()];
    await changes.return?.();
    await client.dispose();

    expect(down).toEqual([expect.objectContaining({ healthy: false }), false]);
    expect(up).toEqual([expect.objectContaining({ healthy: true }), true]);
  });

  function ask(user = token) {
    return platform.request('POST', '/v1/chat/completions', {
      token: user,
      body: { model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] },
    });
  }
});
