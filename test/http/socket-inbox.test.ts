import { afterEach, expect, it, jest } from '@jest/globals';
import { SocketInbox } from '../../src/http/socket-inbox.js';
import { eventually } from '../support/probes/eventually.js';
import { closeFakeSockets, openFakeSession as openSession } from '../support/servers/fake-socket.js';

const MESSAGE = Buffer.from('1');
const MIB = 1024 * 1024;

afterEach(closeFakeSockets);

it('handles messages one after another, and lets others have their turn between those that come at once', async () => {
  const { session } = openSession();
  let [now, handled, running, most] = [0, 0, 0, 0];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const inbox = new SocketInbox(session, async () => {
    most = Math.max(most, (running += 1));
    now += 0.2;
    await undefined;
    running -= 1;
    handled += 1;
  });

  for (let count = 0; count < 500; count += 1) inbox.push(MESSAGE, false);
  let turns = 0;
  for (; handled < 500 && turns < 1_000; turns += 1) await new Promise((resolve) => setImmediate(resolve));

  jest.restoreAllMocks();

  expect(most).toBe(1);
  expect(handled).toBe(500);
  expect(turns).toBeGreaterThan(40);
});

it('reads nothing more while messages wait, and goes on when they are handled', async () => {
  const { session, socket } = openSession();
  const gate = Promise.withResolvers<void>();
  const inbox = new SocketInbox(session, () => gate.promise);

  for (let count = 0; count < 10; count += 1) inbox.push(MESSAGE, false);
  const isPaused = socket.isPaused;
  // What was sent before has been read: that is no reason to go on.
  await session.send('text');
  const isPausedStill = socket.isPaused;
  gate.resolve();

  await eventually('it reads again', 5, () => !socket.isPaused);
  expect([isPaused, isPausedStill]).toEqual([true, true]);
});

it('ends a socket that sends far more than is handled', async () => {
  const { session, socket } = openSession();
  const inbox = new SocketInbox(session, () => new Promise<void>(() => undefined));

  for (let count = 0; count < 10_000; count += 1) inbox.push(MESSAGE, false);

  expect(socket.closed).toEqual([[4400, 'Too many messages came at once.']]);
});

it('handles nothing for a peer that does not read, and cuts off one with some MiB unread', async () => {
  const { session, socket } = openSession();
  socket.reads = false;
  const handled = jest.fn(() => session.send('x'.repeat(MIB)));
  const inbox = new SocketInbox(session, async () => void handled());

  for (let count = 0; count < 4; count += 1) inbox.push(MESSAGE, false);
  await eventually('it is answered', 5, () => socket.bufferedAmount === MIB);
  await new Promise((resolve) => setImmediate(resolve));
  const beforeIt = handled.mock.calls.length;
  // Others send whether it reads or not.
  for (let count = 0; count < 8; count += 1) void session.send('x'.repeat(MIB));

  expect([beforeIt, socket.isPaused]).toEqual([1, true]);
  expect(socket.terminated).toBe(1);
  expect(socket.bufferedAmount).toBe(5 * MIB);
});
