import { EventEmitter } from 'node:events';
import { SocketSession } from '../../../src/http/socket-session.js';

const opened: FakeSocket[] = [];

/** A socket whose peer reads, or does not. */
export class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  reads = true;
  terminated = 0;
  pings = 0;
  readonly closed: [number, string][] = [];

  send(text: string, sent?: () => void): void {
    this.bufferedAmount += text.length;
    if (!this.reads) return;
    setImmediate(() => {
      this.bufferedAmount -= text.length;
      sent?.();
    });
  }

  ping(): void {
    this.pings += 1;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(code: number, reason: string): void {
    this.closed.push([code, reason]);
    this.readyState = 3;
    setImmediate(() => this.emit('close'));
  }

  terminate(): void {
    this.terminated += 1;
    this.readyState = 3;
    setImmediate(() => this.emit('close'));
  }
}

/** A session of such a socket, and the connection below it. */
export function openFakeSession() {
  const socket = new FakeSocket();
  opened.push(socket);
  const connection = Object.assign(new EventEmitter(), { setTimeout: () => connection, bytesRead: 0 });
  const hooks = { handled: () => undefined, mostUnreadBytes: 4 * 1024 * 1024 };
  const session = new SocketSession(socket as never, { socket: connection } as never, hooks);
  return { session, socket, connection };
}

/** To be called behind each test. */
export function closeFakeSockets(): void {
  for (const socket of opened.splice(0)) socket.terminate();
}
