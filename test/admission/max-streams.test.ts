import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHAT, CHAT_OPERATION, ChatTransports } from '../support/chat-transports.js';
import type { ChatEvent } from '../support/chat-transports.js';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { chunk, completion, startScriptedBackend, stream, wholeStream } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

describe('the number of open streams', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let transports: ChatTransports;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url, MAX_STREAMS: '1' });
    transports = new ChatTransports(platform, (await platform.login()).access_token);
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  it('is bounded over all transports, and a place is free again when a stream ends', async () => {
    const held = { ...stream(chunk({ role: 'assistant', content: '' })), ending: 'hang' } as const;
    backend.answer(held, completion('Hi'), stream(...wholeStream('Hi')));
    const arrival = backend.nextRequest();
    const opened = await transports.rest();
    await opened.next();

    const refused = await transports.fetch({ ...CHAT, stream: true });
    const whole = await transports.fetch(CHAT);
    const client = transports.wsClient();
    const overSocket = (await client.iterate(CHAT_OPERATION).next()).value as ChatEvent;
    await opened.leave();
    await (await arrival).gone;
    // The place is free when the call that was left is recorded.
    const admitted = await untilAdmitted(() => transports.fetch({ ...CHAT, stream: true }));
    await client.dispose();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    // Whoever is refused has used nothing of the minute.
    expect([whole.status, whole.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '598']);
    expect(overSocket.errors?.[0]?.extensions).toMatchObject({ status: 503, code: 'unavailable' });
    expect(admitted.status).toBe(200);
    await admitted.text();
  });
});

async function untilAdmitted(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const response = await ask();
    if (response.status === 200 || tries === 50) return response;
    await response.text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
