import { describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { eventually } from '../support/probes/eventually.js';
import type { Platform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const OPERATIONS = [
  'subscription { quotaUpdated { percentUsed } }',
  'subscription { backendHealthChanged { healthy } }',
];

describe.each(OPERATIONS)('over SSE, %s', (query) => {
  const platform = usePlatform({ RATE_LIMIT_STREAMS: '2', SHUTDOWN_SECONDS: '4' });

  it('gives its place back when its client leaves', async () => {
    const { access_token: token } = await platform.login();

    for (let times = 0; times < 5; times += 1) {
      const controller = new AbortController();
      await whenThereIsAPlace(() => open(platform, token, query, controller.signal));
      controller.abort();
    }
    const body = { ...CHAT, model: 'builtin-extractive', stream: true };
    const answer = await whenThereIsAPlace(() => platform.send('POST', '/v1/chat/completions', { token, body }));

    expect(await answer.text()).toContain('[DONE]');
  });

  it('ends with the session, and says why', async () => {
    const { access_token: token, refresh_token } = await platform.login();
    const response = await open(platform, token, query);

    await platform.request('POST', '/v1/auth/logout', { body: { access_token: token, refresh_token } });
    const text = await response.text();

    expect(text).toContain('"code":"unauthorized"');
    expect(text).toMatch(/event: complete\s+data:\s+$/);
  });

  it('does not keep the server from ending', async () => {
    const { access_token: token } = await platform.login();
    const response = await open(platform, token, query);

    await platform.restart();
    const text = await response.text();

    expect(text).toContain('"code":"unavailable"');
  });
});

/** Opens a subscription over SSE that never ends by itself. */
function open(platform: Platform, token: string, query: string, signal?: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream' };
  return platform.send('POST', '/graphql', { token, body: { query }, headers, signal });
}

/** The place of a client who has left is free when that is noticed. */
function whenThereIsAPlace(ask: () => Promise<Response>): Promise<Response> {
  return eventually('there is a place', 5, async () => {
    const response = await ask();
    if (response.status === 200) return response;
    await response.text();
    return undefined;
  });
}
