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
  /** Of a body whose length is known: what has not come yet. */
  private bytesLeft = 0;
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
   * @param onBody gets the body as it comes: chunks whole, a body whose length is known in pieces
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
    this.finish();
    this.socket.destroy();
  }

  private finish(): void {
    this.settle?.resolve();
    this.settle = undefined;
  }

  private fail(error: Error): void {
    this.settle?.reject(error);
    this.settle = undefined;
  }

  private read(length: number): boolean {
    this.pending += this.readBuffer.toString('latin1', 0, length);
    while (this.settle && this.readPart());
    return true;
  }

  /** Takes one part of the answer; answers whether there may be more to do. */
  private readPart(): boolean {
    if (this.status === 0) return this.readHead();
    return this.chunked ? this.readChunk() : this.readPiece();
  }

  private readHead(): boolean {
    const end = this.pending.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.pending.slice(0, end);
    this.pending = this.pending.slice(end + 4);
    this.status = Number(head.slice(9, 12));
    this.chunked = /\r\ntransfer-encoding: chunked/i.test(head);
    this.bytesLeft = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    return true;
  }

  private readChunk(): boolean {
    const lineEnd = this.pending.indexOf('\r\n');
    if (lineEnd < 0) return false;
    const length = Number.parseInt(this.pending, 16);
    const start = lineEnd + 2;
    const end = start + length + 2;
    if (this.pending.length < end) return false;
    const chunk = this.pending.slice(start, start + length);
    this.pending = this.pending.slice(end);
    return this.take(chunk, length === 0);
  }

  /** Whatever there is: megabytes that are kept until they are whole would be copied over and over. */
  private readPiece(): boolean {
    const piece = this.pending.slice(0, this.bytesLeft);
    if (piece === '' && this.bytesLeft > 0) return false;
    this.pending = this.pending.slice(piece.length);
    this.bytesLeft -= piece.length;
    return this.take(piece, this.bytesLeft === 0);
  }

  private take(text: string, isLast: boolean): boolean {
    if (this.status !== 200) {
      this.fail(new Error(`Status ${this.status}: ${text.slice(0, 300)}`));
      return false;
    }
    if (text !== '') this.onBody(text);
    if (!isLast) return true;
    this.status = 0;
    this.finish();
    return false;
  }
}
