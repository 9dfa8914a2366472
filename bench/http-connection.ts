import { connect } from 'node:net';
import type { Socket } from 'node:net';

/**
 * One HTTP/1.1 connection of a load generator, for one request at a time. It reads into one buffer and understands
 * exactly what the servers of the benchmark send, because a client that is busy parsing measures itself.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private readonly readBuffer = Buffer.allocUnsafe(65_536);
  private pending = '';
  /** 0 until the head of the answer has been read. */
  private status = 0;
  private chunked = false;
  private contentLength = 0;
  private settle: { resolve(): void; reject(error: Error): void } | undefined;
  private onBody: (text: string) => void = () => undefined;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    const onread = { buffer: this.readBuffer, callback: (length: number) => this.read(length) };
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The server closed the connection.')));
  }

  /**
   * Sends a request and resolves when its answer is whole.
   * @param onBody gets the body in whole chunks as they come
   * @throws Error on any status but 200, and when the connection ends before the answer
   */
  send(request: string, onBody: (text: string) => void): Promise<void> {
    this.onBody = onBody;
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket.write(request);
    });
  }

  /** Hangs up, whatever is going on; a pending `send` resolves. */
  close(): void {
    this.settle?.resolve();
    this.settle = undefined;
    this.socket.destroy();
  }

  private fail(error: Error): void {
    this.settle?.reject(error);
    this.settle = undefined;
  }

  private read(length: number): boolean {
    this.pending += this.readBuffer.toString('latin1', 0, length);
    while (this.settle && (this.status === 0 ? this.readHead() : this.readBody()));
    return true;
  }

  private readHead(): boolean {
    const end = this.pending.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.pending.slice(0, end);
    this.pending = this.pending.slice(end + 4);
    this.status = Number(head.slice(9, 12));
    this.chunked = /\r\ntransfer-encoding: chunked/i.test(head);
    this.contentLength = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    return true;
  }

  /** Takes one piece of the body; answers whether there may be more to do. */
  private readBody(): boolean {
    const lineEnd = this.chunked ? this.pending.indexOf('\r\n') : -2;
    if (lineEnd === -1) return false;
    const length = this.chunked ? Number.parseInt(this.pending, 16) : this.contentLength;
    const start = lineEnd + 2;
    const end = start + length + (this.chunked ? 2 : 0);
    if (this.pending.length < end) return false;
    const body = this.pending.slice(start, start + length);
    this.pending = this.pending.slice(end);
    if (this.status !== 200) {
      this.fail(new Error(`Status ${this.status}: ${body.slice(0, 300)}`));
      return false;
    }
    if (length > 0) this.onBody(body);
    if (this.chunked && length > 0) return true;
    this.status = 0;
    this.settle?.resolve();
    this.settle = undefined;
    return false;
  }
}
