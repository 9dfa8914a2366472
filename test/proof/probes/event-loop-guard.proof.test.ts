import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { EventLoopGuard } from './event-loop-guard.js';

it('a guard finds what holds the event loop, and nothing where that is free', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/blocks') work(600);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guard = await EventLoopGuard.start(url);

  const [good, slow] = [await guard.watch(() => fetch(`${url}/`)), await guard.watch(() => fetch(`${url}/blocks`))];
  guard.close();
  server.close().closeAllConnections();

  expect(good.disturbance).toBeUndefined();
  expect(slow.disturbance).toMatch(/^a good request waited for \d+ ms of work/);
});

/** Keeps the event loop busy for so much time of the processor, however long that takes. */
function work(milliseconds: number): void {
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < milliseconds * 1_000);
}
