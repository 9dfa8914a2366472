import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { openSocket, openSocketAs } from '../support/builders/graphql-clients.js';
import { startGateway } from '../support/servers/gateway.js';
import { chunk, completion, hanging, stream } from '../support/servers/scripted-backend.js';
import { StubbornPeer } from '../support/servers/stubborn-peer.js';
import { useGateway } from '../support/servers/use-servers.js';

const STREAM = {
  query: 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { choices { delta { content } } } }',
  variables: { body: CHAT },
};
const ANSWER = { ...STREAM, query: 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }' };

describe('a web socket', () => {
  const gateway = useGateway();

  it('that was revoked does nothing more, tells its operations so, and is cut off', async () => {
    const { platform, backend } = gateway;
    const session = await platform.login();
    backend.answer(hanging(chunk({ content: 'Hel' })));
    const arrival = backend.nextRequest();
    const peer = await new StubbornPeer(gateway.platform.url).open(session.access_token);
    await peer.until(({ type }) => type === 'connection_ack');
    peer.subscribe('stream', STREAM);
    await peer.until(({ type }) => type === 'next');
    const { gone } = await arrival;
    const ends: string[] = [];
    void gone.then(() => ends.push('the upstream'));
    const closed = peer.closed.then(() => ends.push('the socket'));

    await platform.request('POST', '/v1/auth/logout', { body: session });
    const told = await peer.until(({ type }) => type === 'error');
    const seen = backend.requests.length;
    peer.subscribe('late', ANSWER);
    await closed;

    expect(told).toMatchObject({
      id: 'stream',
      payload: [{ extensions: { code: 'unauthorized', reason: 'token_revoked' } }],
    });
    expect(ends).toEqual(['the upstream', 'the socket']);
    expect(backend.requests.length).toBe(seen);
    expect(peer.messages.filter(({ id }) => id === 'late')).toEqual([]);
    expect(peer.messages.at(-1)).toEqual(told);
  });

  it('over the limit of a user does nothing', async () => {
    const { platform, backend } = gateway;
    const token = (await platform.login()).access_token;
    const peers = await Promise.all(
      Array.from({ length: 20 }, () => new StubbornPeer(gateway.platform.url).open(token)),
    );
    for (const peer of peers) await peer.until(({ type }) => type === 'connection_ack');
    const seen = backend.requests.length;

    const refused = await new StubbornPeer(gateway.platform.url).open(token);
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
    const socket = openSocket(gateway.platform.url);
    await once(socket, 'open');
    const closed = once(socket, 'close');

    socket.send(JSON.stringify(message));
    const [code] = (await closed) as [number];

    expect(code).toBe(4401);
  });

  it.each([
    [
      'a message nested too deeply',
      `{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"v":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`,
    ],
    ['a message that is no JSON', '{'],
    ['a message of an unknown type', '{"type":"nothing"}'],
  ])('is closed with 4400 for %s', async (_what, text) => {
    const { socket, closed } = await openSocketAs({ url: gateway.platform.url, token: gateway.token });

    socket.send(text);

    expect(await closed).toBe(4400);
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
    const socket = openSocket(gateway.platform.url, headers);
    await once(socket, 'open');

    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();

    expect(JSON.parse(data.toString())).toEqual({ type: 'connection_ack' });
  });

  it('with a large answer for somebody who reads slowly stays open', async () => {
    const content = 'x'.repeat(15 * 1024 * 1024);
    gateway.backend.answer(completion(content));
    const peer = await new StubbornPeer(gateway.platform.url).open(gateway.token);
    await peer.until(({ type }) => type === 'connection_ack');
    peer.pause();
    const slow = setInterval(() => {
      peer.resume();
      setImmediate(() => peer.pause());
    }, 800);

    peer.subscribe('large', { ...ANSWER, query: ANSWER.query.replace('{ id }', '{ raw }') });
    const answer = await peer.until(({ type }) => type === 'next');
    clearInterval(slow);
    peer.resume();
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
    const idle = await new StubbornPeer(gateway.platform.url).open(gateway.token);
    const busy = await new StubbornPeer(gateway.platform.url).open(gateway.token);
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
