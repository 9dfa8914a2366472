import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { closeFakeSockets, openFakeSession } from '../support/servers/fake-socket.js';

const PING_MS = 12_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  closeFakeSockets();
  jest.useRealTimers();
});

it('ends a peer of which nothing has come since it was asked', () => {
  const { socket } = openFakeSession();

  jest.advanceTimersByTime(PING_MS);
  const before = socket.terminated;
  jest.advanceTimersByTime(PING_MS);

  expect([socket.pings, before, socket.terminated]).toEqual([1, 0, 1]);
});

it('leaves one alone that sends audio, behind which its answer waits', () => {
  const { connection, socket } = openFakeSession();

  for (let count = 0; count < 5; count += 1) {
    connection.bytesRead += 1;
    jest.advanceTimersByTime(PING_MS);
  }

  expect([socket.pings, socket.terminated]).toEqual([5, 0]);
});

it('leaves one alone that was not read meanwhile, and asks it anew', () => {
  const { session, socket } = openFakeSession();

  jest.advanceTimersByTime(PING_MS);
  session.hold(true);
  jest.advanceTimersByTime(PING_MS * 3);
  session.hold(false);
  jest.advanceTimersByTime(PING_MS);
  const { pings, terminated } = socket;
  jest.advanceTimersByTime(PING_MS);

  expect([pings, terminated]).toEqual([2, 0]);
  expect(socket.terminated).toBe(1);
});
