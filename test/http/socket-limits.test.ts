import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { startGateway } from '../support/gateway.js';
import type { Gateway } from '../support/gateway.js';
import { chunk, hanging, stream } from '../support/scripted-backend.js';

const STREAM = {
  query: 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { choices { delta { content } } } }',
  variables: { body: { model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] } },
};
const ANSWER = {
  query: 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }',
  variables: STREAM.variables,
};

/** A peer that takes the close frame and says nothing, as a hostile one may. */
class StubbornPeer {
  readonly messages: Message[] = [];
  private readonly socket: WebSocket;
  private waiting: (() => void) | undefined;

  constructor(gateway: Gateway, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${gateway.platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers,
    });
    // What ws itself would answer to a close.
    const { socket } = this;
    socket.on('open', () => {
      const receiver = (socket as unknown as { _receiver: { removeAllListeners(event: string): void } })._receiver;
      receiver.removeAllListeners('conclude');
    });
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Message);
      this.waiting?.();
    });
    socket.on('error', () => undefined);
  }

  get closed(): Promise<unknown> {
    return this.socket.readyState === WebSocket.CLOSED ? Promise.resolve() : once(this.socket, 'close');
  }

  async open(token?: string): Promise<this> {
    await once(this.socket, 'open');
    this.send({ type: 'connection_init', payload: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    return this;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(id: string, payload: object): void {
    this.send({ id, type: 'subscribe', payload });
  }

  async until(isIt: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(isIt);
      if (found) return found;
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
  }

  leave(): void {
    this.socket.terminate();
  }
}

describe('a web socket', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('that was revoked does nothing more, tells its operations so, and is cut off', async () => {
    const { platform, backend } = gateway;
    const session = await platform.login();
    backend.answer(hanging(chunk({ content: 'Hel' })));
    const arrival = backend.nextRequest();
    const peer = await new StubbornPeer(gateway).open(session.access_token);
    await peer.until(({ type }) => type === 'connection_ack');
    peer.subscribe('stream', STREAM);
    await peer.until(({ type }) => type === 'next');
    const asked = await arrival;
    const revokedAt = performance.now();

    await platform.request('POST', '/v1/auth/logout', { body: session });
    const told = await peer.until(({ type }) => type === 'error');
    const seen = backend.requests.length;
    peer.subscribe('late', ANSWER);
    const upstreamClosedAt = await asked.gone;
    await peer.closed;

    expect(told).toMatchObject({
      id: 'stream',
      payload: [{ extensions: { code: 'unauthorized', reason: 'token_revoked' } }],
    });
    expect(upstreamClosedAt - revokedAt).toBeLessThan(1_000);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
    expect(backend.requests.length).toBe(seen);
    expect(peer.messages.filter(({ id }) => id === 'late')).toEqual([]);
    expect(peer.messages.at(-1)).toEqual(told);
  });

  it('over the limit of a user does nothing', async () => {
    const { platform, backend } = gateway;
    const token = (await platform.login()).access_token;
    const peers = await Promise.all(Array.from({ length: 20 }, () => new StubbornPeer(gateway).open(token)));
    for (const peer of peers) await peer.until(({ type }) => type === 'connection_ack');
    const seen = backend.requests.length;

    const refused = await new StubbornPeer(gateway).open(token);
    refused.subscribe('late', ANSWER);
    await refused.closed;
    peers.forEach((peer) => peer.leave());

    expect(refused.messages).toEqual([]);
    expect(backend.requests.length).toBe(seen);
  });

  it.each([
    ['a ping', { type: 'ping', payload: { text: 'x'.repeat(900_000) } }],
    ['an operation', { id: '1', type: 'subscribe', payload: { query: '{ health { status } }' } }],
    ['no message at all', 'text'],
    ['a large connection_init', { type: 'connection_init', payload: { authorization: 'x'.repeat(100_000) } }],
  ])('that begins with %s is closed with 4401', async (_what, message) => {
    const socket = new WebSocket(`${gateway.platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const closed = once(socket, 'close');

    socket.send(JSON.stringify(message));
    const [code] = (await closed) as [number];

    expect(code).toBe(4401);
  });

  it('that is sent pings and never reads keeps little in memory', async () => {
    const peer = await new StubbornPeer(gateway).open(gateway.token);
    await peer.until(({ type }) => type === 'connection_ack');
    const { _socket: connection } = (peer as unknown as { socket: { _socket: { pause(): void } } }).socket;
    connection.pause();
    const before = process.memoryUsage().rss;

    for (let sent = 0; sent < 300; sent += 1) peer.send({ type: 'ping', payload: { text: 'x'.repeat(900_000) } });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const grown = process.memoryUsage().rss - before;
    peer.leave();

    // The peer is in this process too, and holds its 270 MB until they are taken.
    expect(grown).toBeLessThan(700 * 1024 * 1024);
  });

  it.each([
    [
      'a message nested too deeply',
      `{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"v":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`,
    ],
    ['a message that is no JSON', '{'],
    ['a message of an unknown type', '{"type":"nothing"}'],
  ])('is closed with 4400 for %s', async (_what, text) => {
    const socket = new WebSocket(`${gateway.platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${gateway.token}` } }));
    await once(socket, 'message');
    const closed = once(socket, 'close');

    socket.send(text);
    const [code] = (await closed) as [number];

    expect(code).toBe(4400);
  });

  it.each([
    ['Authorization in the payload', (authorization: string) => ({ payload: { Authorization: authorization } })],
    ['headers in the payload', (authorization: string) => ({ payload: { headers: { authorization } } })],
    ['the header of the upgrade', (authorization: string) => ({ headers: { authorization } })],
  ])('takes the token as %s too', async (_where, sent) => {
    const { payload, headers } = sent(`Bearer ${gateway.token}`) as {
      payload?: object;
      headers?: Record<string, string>;
    };
    const socket = new WebSocket(`${gateway.platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers,
    });
    await once(socket, 'open');

    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();

    expect(JSON.parse(data.toString())).toEqual({ type: 'connection_ack' });
  });

  it('with a large answer for somebody who reads slowly stays open', async () => {
    const content = 'x'.repeat(15 * 1024 * 1024);
    gateway.backend.answer({
      pieces: [
        JSON.stringify({
          id: 'c',
          choices: [{ index: 0, message: { role: 'assistant', content } }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      ],
    });
    const peer = await new StubbornPeer(gateway).open(gateway.token);
    await peer.until(({ type }) => type === 'connection_ack');
    const { _socket: connection } = (peer as unknown as { socket: { _socket: { pause(): void; resume(): void } } })
      .socket;
    connection.pause();
    const slow = setInterval(() => {
      connection.resume();
      setImmediate(() => connection.pause());
    }, 800);

    peer.subscribe('large', { ...ANSWER, query: ANSWER.query.replace('{ id }', '{ raw }') });
    const answer = await peer.until(({ type }) => type === 'next');
    clearInterval(slow);
    connection.resume();
    peer.leave();

    expect(JSON.stringify(answer).length).toBeGreaterThan(8_000_000);
  });
});

describe('a server that drains', () => {
  it('closes idle sockets at once, lets operations end, and takes no new ones', async () => {
    const gateway = await startGateway();
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer(
      stream(chunk({ content: 'Hel' }), gate.promise, chunk({ content: 'lo' }, 'stop'), 'data: [DONE]\n\n'),
    );
    const idle = await new StubbornPeer(gateway).open(gateway.token);
    const busy = await new StubbornPeer(gateway).open(gateway.token);
    for (const peer of [idle, busy]) await peer.until(({ type }) => type === 'connection_ack');
    busy.subscribe('stream', STREAM);
    await busy.until(({ type }) => type === 'next');

    const closing = gateway.platform.app.close();
    await idle.closed;
    busy.subscribe('late', ANSWER);
    const refused = await busy.until(({ id }) => id === 'late');
    gate.resolve();
    const end = await busy.until(({ id, type }) => id === 'stream' && type === 'complete');
    await busy.closed;
    await closing;
    await gateway.backend.close();

    expect(refused).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'unavailable' } }] });
    expect(end).toBeDefined();
  });
});

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: readonly { readonly extensions: object }[];
}
