import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import WebSocket from 'ws';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { chunk, DONE, startScriptedBackend, stream, usageChunk, wholeStream } from '../support/scripted-backend.js';
import type { ReceivedRequest, ScriptedBackend } from '../support/scripted-backend.js';

const BODY = { model: 'scripted', messages: [{ role: 'user', content: 'Say hello.' }] };
const QUERY = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { raw } }';
const OPERATION = { query: QUERY, variables: { body: BODY } };

/** What GraphQL clients get of a stream. */
interface Event {
  readonly data?: { readonly chatCompletionStream?: { readonly raw: object } } | null;
  readonly errors?: readonly { readonly extensions?: unknown }[];
}

/** A stream that a client reads through one of the doors. */
interface OpenStream {
  /** Resolves with the next chunk, undefined at the end. */
  next(): Promise<object | undefined>;
  leave(): Promise<void>;
}

describe('a stream', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    token = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  function sseClient() {
    return createSseClient({ url: `${platform.url}/graphql`, headers: { authorization: `Bearer ${token}` }, retryAttempts: 0 });
  }

  function wsClient() {
    return createWsClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
  }

  async function openRest(): Promise<OpenStream> {
    const controller = new AbortController();
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
      signal: controller.signal,
    });
    const frames = framesOf(response);
    return {
      next: async () => {
        const { value } = await frames.next();
        return value === undefined || value === 'data: [DONE]' ? undefined : (JSON.parse(value.slice(6)) as object);
      },
      leave: async () => controller.abort(),
    };
  }

  function openGraphql(client: { iterate(operation: typeof OPERATION): AsyncIterableIterator<unknown>; dispose(): unknown }): OpenStream {
    const iterator = client.iterate(OPERATION);
    return {
      next: async () => ((await iterator.next()).value as Event | undefined)?.data?.chatCompletionStream?.raw,
      leave: async () => {
        await iterator.return?.();
        await client.dispose();
      },
    };
  }

  const doors: [string, () => Promise<OpenStream>][] = [
    ['REST', () => openRest()],
    ['graphql-ws', async () => openGraphql(wsClient() as never)],
    ['graphql-sse', async () => openGraphql(sseClient() as never)],
  ];

  it('is the same through every door', async () => {
    const answers: object[][] = [];

    for (const [, open] of doors) {
      backend.answer(stream(...wholeStream('Hel', 'lo ', '🌍')));
      const opened = await open();
      const chunks: object[] = [];
      for (let next = await opened.next(); next; next = await opened.next()) chunks.push(next);
      await opened.leave();
      answers.push(chunks);
    }

    expect(answers[0]).toHaveLength(5);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each(doors)('closes the upstream within 100 ms when a client leaves it over %s', async (_door, open) => {
    backend.answer({ ...stream(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' })), ending: 'hang' });
    const arrival = backend.nextRequest();
    const opened = await open();
    await opened.next();
    const received = await arrival;

    const leftAt = performance.now();
    await opened.leave();

    expect((await received.gone) - leftAt).toBeLessThan(100);
  });

  it.each(doors.slice(1))('closes the upstream that has not answered yet when a client leaves it over %s', async (_door, open) => {
    backend.answer({ ending: 'silent' });
    const arrival = backend.nextRequest();
    const opened = await open();
    const pending = opened.next().catch(() => undefined);
    const received = await arrival;

    const leftAt = performance.now();
    await opened.leave();

    expect((await received.gone) - leftAt).toBeLessThan(100);
    await pending;
  });

  it('closes the upstream that has not answered yet when a client leaves it over REST', async () => {
    backend.answer({ ending: 'silent' });
    const arrival = backend.nextRequest();
    const controller = new AbortController();
    const pending = fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
      signal: controller.signal,
    }).catch(() => undefined);
    const received = await arrival;

    const leftAt = performance.now();
    controller.abort();

    expect((await received.gone) - leftAt).toBeLessThan(100);
    await pending;
  });

  it.each(doors)('that was cut never looks whole over %s', async (door, open) => {
    backend.answer({ ...stream(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' })), ending: 'cut' });
    const opened = await open();

    const chunks: (object | undefined)[] = [];
    for (let next = await opened.next(); next; next = await opened.next()) chunks.push(next);
    await opened.leave();

    const last = chunks.at(-1);
    if (door === 'REST') expect(last).toEqual({ error: expect.objectContaining({ type: 'upstream_error', code: 'bad_upstream' }) });
    else expect(chunks).toHaveLength(2);
  });

  it('tells a refusal before the first event as an error with its status', async () => {
    backend.answer({ status: 400, pieces: ['{"error":{"code":400,"message":"too long","type":"exceed_context_size_error"}}'] });

    const rest = await platform.request('POST', '/v1/chat/completions', { token, body: { ...BODY, stream: true } });
    backend.answer({ status: 400, pieces: ['{"error":{"code":400,"message":"too long"}}'] });
    const first = await wsClient().iterate(OPERATION).next();

    expect([rest.status, rest.body.error]).toEqual([400, { message: 'too long', type: 'invalid_request_error', code: 'bad_request' }]);
    expect((first.value as Event).errors?.[0]?.extensions).toEqual({ type: 'invalid_request_error', code: 'bad_request', status: 400 });
  });

  it('ends with an error event when its session ends, within a second', async () => {
    const session = await platform.login();
    const closed: Promise<number>[] = [];
    const held = { ...stream(chunk({ role: 'assistant', content: '' })), ending: 'hang' } as const;
    backend.answer(held);
    const arrival = backend.nextRequest();
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });
    closed.push((await arrival).gone);

    const endedAt = performance.now();
    await platform.request('POST', '/v1/auth/logout', { body: session });
    const text = await response.text();

    expect(performance.now() - endedAt).toBeLessThan(1_000);
    expect(text).toContain('"code":"unauthorized","reason":"token_revoked"');
    expect(text).not.toContain('[DONE]');
    await Promise.all(closed);
  });

  it('is recorded before its end mark is sent, whichever way it ends', async () => {
    const before = await quota();
    backend.answer(stream(...wholeStream('Hello')));
    const whole = await openRest();
    while (await whole.next());
    const afterWhole = await quota();
    backend.answer({ ...stream(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hello' })), ending: 'cut' });
    const cut = await openRest();
    while (await cut.next());
    const afterCut = await quota();

    expect(afterWhole.requests - before.requests).toBe(1);
    expect(afterWhole.tokens - before.tokens).toBe(10);
    expect(afterCut.requests - afterWhole.requests).toBe(1);
    expect(afterCut.tokens).toBeGreaterThan(afterWhole.tokens);
  });

  it('shows its usage only to who asked for it, and always asks the upstream', async () => {
    backend.answer(stream(...wholeStream('Hi')), stream(...wholeStream('Hi')));

    const silent = await streamText({ ...BODY, stream: true });
    const asked = await streamText({ ...BODY, stream: true, stream_options: { include_usage: true } });

    expect(silent).not.toContain('usage');
    expect(asked.trimEnd().split('\n\n').at(-2)).toContain('"choices":[],"usage":{"prompt_tokens":7');
    expect(backend.requests.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    expect(backend.requests.at(-2)?.body.stream_options).toEqual({ include_usage: true });
  });

  it('writes what has arrived, and does not wait for more', async () => {
    const gate = Promise.withResolvers<void>();
    backend.answer(stream(chunk({ role: 'assistant', content: '' }), gate.promise, chunk({}, 'stop'), usageChunk(), DONE));
    const opened = await openRest();

    const first = await opened.next();
    gate.resolve();
    const second = await opened.next();

    expect([first, second]).toEqual([
      expect.objectContaining({ choices: [expect.objectContaining({ delta: { role: 'assistant', content: '' } })] }),
      expect.objectContaining({ choices: [expect.objectContaining({ finish_reason: 'stop' })] }),
    ]);
  });

  it('holds the upstream back for a slow reader', async () => {
    let written = 0;
    const piece = chunk({ content: 'x'.repeat(64 * 1024) });
    const endless = (function* () {
      for (; written < 2_000; written += 1) yield piece;
    })();
    backend.answer({ type: 'text/event-stream', pieces: endless });
    const arrival = backend.nextRequest();
    const controller = new AbortController();
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
      signal: controller.signal,
    });
    const received: ReceivedRequest = await arrival;

    await untilStill(() => written);
    const heldAt = written;
    controller.abort();
    await received.gone;

    expect(response.status).toBe(200);
    expect(heldAt).toBeLessThan(1_000);
  });

  async function quota(): Promise<{ requests: number; tokens: number }> {
    const { body } = await platform.request('GET', '/v1/quota', { token });
    return body.usage as { requests: number; tokens: number };
  }

  async function streamText(body: object): Promise<string> {
    return (await platform.request('POST', '/v1/chat/completions', { token, body })).body as string;
  }
});

async function* framesOf(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    yield* frames;
  }
  return undefined;
}

/** Resolves when a number has not changed for a while. */
async function untilStill(read: () => number): Promise<void> {
  for (let last = -1; last !== read(); ) {
    last = read();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
