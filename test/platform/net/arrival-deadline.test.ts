import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { liftArrivalDeadline, startArrivalDeadline } from '../../../src/platform/net/arrival-deadline.js';

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\n';

describe('the body of a request that is waited for', () => {
  const server = createServer({ requestTimeout: 0 });
  let socket: Socket;
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    socket.destroy();
    server.close();
  });

  it('is late when it has not arrived, whatever has come of it', async () => {
    const { late } = await send(`${HEAD}content-length: 10\r\n\r\nabc`);

    await expect(late).resolves.toBe('late');
  });

  it('is not late where its reader looks after that, until it does so no more', async () => {
    const { late, request } = await send(`${HEAD}transfer-encoding: chunked\r\n\r\n`);

    const restore = liftArrivalDeadline(request);
    const meanwhile = await Promise.race([late, setTimeout(200, 'nothing')]);
    restore();

    expect(meanwhile).toBe('nothing');
    await expect(late).resolves.toBe('late');
  });

  it.each([
    ['has arrived', `${HEAD}content-length: 3\r\n\r\nabc`],
    ['is not there', `${HEAD}\r\n`],
  ])('is not late when it %s', async (_what, bytes) => {
    const { late, request } = await send(bytes);

    request.resume();

    await expect(Promise.race([late, setTimeout(200, 'nothing')])).resolves.toBe('nothing');
  });

  /** Sends bytes. @returns the request that they begin, and what becomes of it if it is late */
  async function send(bytes: string): Promise<{ request: IncomingMessage; late: Promise<string> }> {
    const { promise: late, resolve } = Promise.withResolvers<string>();
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    startArrivalDeadline(request, 100, () => resolve('late'));
    return { request, late };
  }
});
