import { once } from 'node:events';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openSocket, wsClient } from '../support/builders/graphql-clients.js';
import { usePlatform } from '../support/servers/use-servers.js';
import type WebSocket from 'ws';

describe('GraphQL over WebSocket', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('answers queries and mutations of the caller', async () => {
    const client = wsClient({ url: platform.url, token });

    const results = [];
    for await (const result of client.iterate({ query: '{ me { email } }' })) results.push(result);
    await client.dispose();

    expect(results).toEqual([{ data: { me: { email: platform.admin.email } } }]);
  });

  it('closes with 4401 without a valid token', async () => {
    const missing = open();
    const forged = open();

    const codes = [closeCode(missing), closeCode(forged)];
    await init(missing);
    await init(forged, 'Bearer not.a.token');

    expect(await Promise.all(codes)).toEqual([4401, 4401]);
  });

  it('closes with 4401 when no token comes within three seconds', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const socket = open();
    const code = closeCode(socket);
    await once(socket, 'open');

    const late = timers.mock.calls.find(([, milliseconds]) => milliseconds === 3_000)?.[0];
    timers.mockRestore();
    const before = socket.readyState;
    late?.();

    expect(before).toBe(socket.OPEN);
    expect(await code).toBe(4401);
  });

  it('closes with 4403 with a revoked token, and when it is revoked later', async () => {
    const session = await platform.login();
    const before = open();
    await init(before, `Bearer ${session.access_token}`);
    await once(before, 'message');

    const closed = closeCode(before);
    await platform.request('POST', '/v1/auth/logout', { body: session });
    const after = open();
    const closedAfter = closeCode(after);
    await init(after, `Bearer ${session.access_token}`);

    expect(await Promise.all([closed, closedAfter])).toEqual([4403, 4403]);
  });

  it('lets in no foreign origin', async () => {
    const foreign = open({ origin: 'https://evil.example' });
    const own = open({ origin: platform.url });

    const [error] = (await once(foreign, 'error')) as [Error];
    await once(own, 'open');
    own.terminate();

    expect(error.message).toContain('403');
  });

  it('refuses messages over 1 MiB', async () => {
    const socket = open();
    const code = closeCode(socket);

    await init(socket, `Bearer ${token}`);
    await once(socket, 'message');
    socket.send(
      JSON.stringify({ id: '1', type: 'subscribe', payload: { query: `{ me { id } } # ${'x'.repeat(1_100_000)}` } }),
    );

    expect(await code).toBe(1009);
  });

  it('lets a user open 20 sockets', async () => {
    const session = await platform.login();
    const sockets = Array.from({ length: 20 }, () => open());
    for (const socket of sockets) {
      await init(socket, `Bearer ${session.access_token}`);
      await once(socket, 'message');
    }

    const extra = open();
    const code = closeCode(extra);
    await init(extra, `Bearer ${session.access_token}`);

    expect(await code).toBe(4429);
    for (const socket of sockets) socket.terminate();
  });

  it('refuses queries over a limit with our error', async () => {
    const socket = open();
    await init(socket, `Bearer ${token}`);
    await once(socket, 'message');
    const aliases = Array.from({ length: 20 }, (_, index) => `a${index}: health { status }`).join(' ');

    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: `{ ${aliases} }` } }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();

    expect(JSON.parse(data.toString())).toMatchObject({
      id: '1',
      type: 'error',
      payload: [{ message: expect.stringContaining('aliases'), extensions: { code: 'bad_request', status: 400 } }],
    });
  });

  function open(headers: Record<string, string> = {}): WebSocket {
    return openSocket(platform.url, headers);
  }

  async function init(socket: WebSocket, authorization?: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: authorization ? { authorization } : undefined }));
  }

  async function closeCode(socket: WebSocket): Promise<number> {
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  }
});
