import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { SocketSession } from '../../src/http/socket-session.js';
import { StubbornPeer } from '../support/servers/stubborn-peer.js';

const server = createServer();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('cuts off whoever reads nothing, also where little was left unread at first', async () => {
  const sockets = new WebSocketServer({ server });
  const arrival = once(sockets, 'connection') as Promise<[WebSocket, IncomingMessage]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = await new StubbornPeer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).open();
  const [socket, request] = await arrival;
  const session = new SocketSession(socket, request, { handled: () => undefined });
  const closed = once(socket, 'close');
  peer.pause();

  // What the kernel takes, and a little more.
  while (socket.bufferedAmount === 0) {
    socket.send('x'.repeat(100_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Node looks twice before it tells that nothing moves.
  await new Promise((resolve) => setTimeout(resolve, 10_500));
  const wasOpen = !session.ended;
  void session.send('x'.repeat(2 * 1024 * 1024));
  await closed;
  peer.leave();

  expect(wasOpen).toBe(true);
  expect(session.controller.signal.aborted).toBe(true);
});
