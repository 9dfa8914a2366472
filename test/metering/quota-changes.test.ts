import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { addUser, defaultTenantId, signIn } from '../identity/accounts.js';
import { QuotaNotifier } from '../../src/metering/quotas/quota-notifier.js';
import type { QuotaService } from '../../src/metering/quotas/quota.service.js';
import { MemoryTopics } from '../../src/platform/cluster/topics.js';
import type { Listener } from '../../src/platform/cluster/topics.js';
import type { Caller } from '../../src/access/caller.js';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { startScriptedBackend } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

const BODY = { model: 'scripted', messages: [{ role: 'user', content: 'Say hello.' }] };

interface Told {
  readonly quotaUpdated: { readonly usage: { readonly requests: number; readonly tokens: number } };
}

describe('the subscription to a quota', () => {
  let backend: ScriptedBackend;
  let platform: Platform;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('tells how it stands, and again when own calls are settled, at most once a second', async () => {
    const { access_token: token } = await platform.login();
    const other = await addUser(platform, await defaultTenantId(platform));
    const { access_token: otherToken } = await signIn(platform, other.email);
    const chat = (as: string) => platform.request('POST', '/v1/chat/completions', { token: as, body: BODY });
    const client = createClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const changes = client.iterate<Told>({ query: 'subscription { quotaUpdated { usage { requests tokens } } }' });
    const read = async () => [(await changes.next()).value.data.quotaUpdated.usage, performance.now()] as const;

    const first = await read();
    await chat(otherToken);
    await Promise.all([chat(token), chat(token), chat(token)]);
    const second = await read();
    await chat(token);
    const third = await read();
    await changes.return?.();
    await client.dispose();

    expect([first[0], second[0], third[0]]).toEqual([
      { requests: 0, tokens: 0 },
      { requests: 3, tokens: 30 },
      { requests: 4, tokens: 40 },
    ]);
    expect(third[1] - second[1]).toBeGreaterThan(900);
  });

  it('hears nothing any more once it has ended, also while it waits', async () => {
    let listeners = 0;
    const topics = new MemoryTopics();
    const counting: MemoryTopics = Object.assign(Object.create(topics), {
      subscribe(topic: string, listener: Listener) {
        const end = topics.subscribe(topic, listener);
        listeners += 1;
        return () => {
          listeners -= 1;
          end();
        };
      },
    });
    const changes = new QuotaNotifier(counting, { own: async () => ({}) } as unknown as QuotaService);
    const iterator = changes.watch({ userId: 'usr_1' } as Caller);

    await iterator.next();
    const waiting = iterator.next();
    const during = listeners;
    await iterator.return?.();

    expect((await waiting).done).toBe(true);
    expect([during, listeners]).toEqual([1, 0]);
  });
});
