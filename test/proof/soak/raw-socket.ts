import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const LONGEST_MS = 10_000;
const SHORT = 126;
const TEXT = 0x81;
const PING = 0x89;

/** A web socket that does only what it is told: it answers neither pings nor a close, and may stop reading. */
export class RawSocket {
  private received = '';

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => (this.received = `${this.received}${text}`.slice(-10_000)));
  }

  /** Opens a socket of graphql-ws for the owner of a token. @throws Error where the server does not let it in */
  static async open(origin: string, token: string): Promise<RawSocket> {
    const { port } = new URL(origin);
    const raw = new RawSocket(connect(Number(port), '127.0.0.1'));
    raw.socket.write(
      `GET /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    await raw.until('101 Switching');
    raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    await raw.until('connection_ack');
    return raw;
  }

  /** False once the connection is gone. */
  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Whether what was sent has not gone out yet. */
  get isFull(): boolean {
    return this.socket.writableNeedDrain;
  }

  /** Sends a message of graphql-ws. */
  send(message: object): void {
    this.write(TEXT, JSON.stringify(message));
  }

  /** Sends a ping of the protocol. */
  ping(): void {
    this.write(PING, 'x'.repeat(SHORT - 1));
  }

  stopReading(): void {
    this.socket.pause();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private async until(text: string): Promise<void> {
    while (!this.received.includes(text)) {
      const signal = AbortSignal.timeout(LONGEST_MS);
      await Promise.race([once(this.socket, 'data', { signal }), once(this.socket, 'close', { signal })]);
      if (!this.isOpen) throw new Error(`The server closed a socket before ${text}.`);
    }
  }

  /** With a mask of zeros, which changes nothing. */
  private write(kind: number, text: string): void {
    if (!this.isOpen) return;
    const length = Buffer.byteLength(text);
    const head = length < SHORT ? [kind, 0x80 | length] : [kind, 0x80 | SHORT, Math.floor(length / 256), length % 256];
    this.socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text)]));
  }
}
