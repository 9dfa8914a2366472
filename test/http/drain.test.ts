import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { chunk, DONE, hanging, startScriptedBackend, stream } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

const BODY = { model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Say hello.' }] };

describe('a shutdown', () => {
  let backend: ScriptedBackend;

  beforeAll(async () => {
    backend = await startScriptedBackend();
  });
  afterAll(() => backend.close());

  it('lets open streams end, and takes no new work meanwhile', async () => {
    const platform = await startPlatform({ OPENAI_BASE_URL: backend.url, SHUTDOWN_SECONDS: '20' });
    const gate = Promise.withResolvers<void>();
    backend.answer(
      stream(
        chunk({ role: 'assistant', content: '' }),
        gate.promise,
        chunk({ content: 'Bye' }),
        chunk({}, 'stop'),
        DONE,
      ),
    );
    const response = await openStream(platform);

    const closing = platform.close();
    const ready = await platform.request('GET', '/health/ready');
    const refused = await platform.request('POST', '/v1/auth/login', { body: platform.admin });
    gate.resolve();
    const text = await response.text();
    await closing;

    expect([ready.status, refused.status]).toEqual([503, 503]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(text).toContain('Bye');
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  it('waits for the record of a call whose client has just left', async () => {
    const platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    backend.answer(hanging(chunk({ content: 'Hello' })));
    const { access_token } = await platform.login();
    const controller = new AbortController();
    const long = { ...BODY, messages: [{ role: 'user', content: 'Say hello. '.repeat(20_000) }] };
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(long),
      signal: controller.signal,
    });
    await response.body?.getReader().read();

    controller.abort();
    await platform.restart();
    const [row] = await platform.app.database.dataSource.query('SELECT outcome FROM calls');
    await platform.close();

    expect(row).toEqual({ outcome: 'cancelled' });
  });

  it('ends a stream that does not end by itself with an error event, and records it', async () => {
    const platform = await startPlatform({ OPENAI_BASE_URL: backend.url, SHUTDOWN_SECONDS: '4' });
    backend.answer(hanging(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hello' })));
    const response = await openStream(platform);

    const startedAt = Date.now();
    await platform.restart();
    const text = await response.text();
    const { access_token } = await platform.login();
    const { body } = await platform.request('GET', '/v1/quota', { token: access_token });
    await platform.close();

    expect(Date.now() - startedAt).toBeLessThan(8_000);
    expect(text).toContain('"code":"unavailable"');
    expect(text).not.toContain('[DONE]');
    expect(body.usage.requests).toBe(1);
  });

  async function openStream(platform: Platform): Promise<Response> {
    const { access_token } = await platform.login();
    return fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    });
  }
});
