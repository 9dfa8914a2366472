import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { liftArrivalDeadline, startArrivalDeadline } from '../../../src/platform/net/arrival-deadline.js';

const MS = 100;
const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\n';

describe('the body of a request that is waited for', () => {
  const server = createServer({ requestTimeout: 0 });
  let socket: Socket;
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());
  afterAll(() => {
    socket.destroy();
    server.close();
  });

  it('is late when it has not arrived, whatever has come of it', async () => {
    const request = await send(`${HEAD}content-length: 10\r\n\r\nabc`);

    jest.advanceTimersByTime(MS - 1);
    const before = request.isLate();
    jest.advanceTimersByTime(1);

    expect([before, request.isLate()]).toEqual([false, true]);
  });

  it('is not late where its reader looks after that, until it does so no more', async () => {
    const { isLate, request } = await send(`${HEAD}transfer-encoding: chunked\r\n\r\n`);

    const restore = liftArrivalDeadline(request);
    jest.advanceTimersByTime(2 * MS);
    const meanwhile = isLate();
    restore();
    jest.advanceTimersByTime(MS);

    expect([meanwhile, isLate()]).toEqual([false, true]);
  });

  it.each([
    ['has arrived', `${HEAD}content-length: 3\r\n\r\nabc`],
    ['is not there', `${HEAD}\r\n`],
  ])('is not late when it %s', async (_what, bytes) => {
    const { isLate, request } = await send(bytes);

    await once(request.resume(), 'end');
    jest.advanceTimersByTime(2 * MS);

    expect(isLate()).toBe(false);
  });

  /** Sends bytes. @returns the request that they begin, and whether it was late */
  async function send(bytes: string): Promise<{ request: IncomingMessage; isLate: () => boolean }> {
    let isLate = false;
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    startArrivalDeadline(request, MS, () => (isLate = true));
    return { request, isLate: () => isLate };
  }
});
