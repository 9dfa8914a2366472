import { describe, expect, it } from '@jest/globals';
import { CHAT, userMessage } from '../support/builders/chat-request.js';
import { LEFT_CALLS_ENV, LeftCalls } from '../support/builders/left-calls.js';
import { startGateway } from '../support/servers/gateway.js';
import { hanging, chunk, DONE, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { ChatTransports } from '../support/builders/chat-transports.js';
import { usedOf } from '../support/builders/quota.js';

describe('a shutdown', () => {
  it('lets open streams end, and takes no new work meanwhile', async () => {
    const gateway = await startGateway({ env: { SHUTDOWN_SECONDS: '20' } });
    const { platform } = gateway;
    const gate = Promise.withResolvers<void>();
    const [first, ...last] = [
      chunk({ role: 'assistant' }),
      chunk({ content: 'Bye' }),
      chunk({}, 'stop'),
      DONE,
    ] as const;
    gateway.backend.answer(stream(first, gate.promise, ...last));
    const response = await new ChatTransports(gateway).fetch();

    const closing = gateway.close();
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
    const gateway = await startGateway();
    gateway.backend.answer(hanging(chunk({ content: 'Hello' })));
    const controller = new AbortController();
    const long = { model: 'scripted', stream: true, messages: [userMessage('Say hello. '.repeat(20_000))] };
    const response = await new ChatTransports(gateway).fetch(long, controller.signal);
    await response.body?.getReader().read();

    controller.abort();
    await gateway.platform.restart();
    const rows = await gateway.platform.query('SELECT outcome FROM calls');
    await gateway.close();

    expect(rows).toEqual([{ outcome: 'cancelled' }]);
  });

  it('ends a call that goes on for its Idempotency-Key, and records it', async () => {
    const gateway = await startGateway({ env: { ...LEFT_CALLS_ENV, SHUTDOWN_SECONDS: '4' } });
    const hung = (gate: Promise<void>) => stream(chunk({ content: 'Hello' }), gate);
    const [call] = await new LeftCalls(gateway).leave([
      { path: '/v1/chat/completions', body: { ...CHAT, stream: true }, script: hung },
    ]);

    await gateway.platform.restart();
    const rows = await gateway.platform.query('SELECT outcome, reserved_tokens::integer AS held FROM calls');
    gateway.backend.answer(stream(...wholeStream('Anew.')));
    const { body } = await call!.again();
    await gateway.close();

    expect(rows).toEqual([{ outcome: 'cancelled', held: 0 }]);
    expect(body).toContain('Anew.');
  });

  it('ends a stream that does not end by itself with an error event, and records it', async () => {
    const gateway = await startGateway({ env: { SHUTDOWN_SECONDS: '4' } });
    gateway.backend.answer(hanging(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hello' })));
    const response = await new ChatTransports(gateway).fetch();

    const ends: string[] = [];
    const restarting = gateway.platform.restart().then(() => ends.push('the server'));
    const text = await response.text();
    ends.push('the stream');
    await restarting;
    const { requests } = await usedOf(gateway);
    await gateway.close();

    expect(ends).toEqual(['the stream', 'the server']);
    expect(text).toContain('"code":"unavailable"');
    expect(text).not.toContain('[DONE]');
    expect(requests).toBe(1);
  });
});
