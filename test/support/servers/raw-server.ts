import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What a raw server does with a request: it has the socket, and the text of the request's head and body. */
export type RawScript = (socket: Socket, request: string) => void;

/** A server below HTTP: it writes whatever a script says, whole answers or none. */
export class RawServer {
  /** Requests, as they came. */
  readonly requests: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.accept(socket));

  constructor(private script: RawScript) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.size;
  }

  /** Answers otherwise from now on. */
  answer(script: RawScript): void {
    this.script = script;
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      const request = text;
      text = '';
      this.requests.push(request);
      this.script(socket, request);
    });
  }
}

/** Starts a raw server on a free port of 127.0.0.1. */
export async function startRawServer(script: RawScript): Promise<RawServer> {
  const server = new RawServer(script);
  await server.listen();
  return server;
}

/** Writes a piece again and again until the socket closes. */
export function repeatedly(socket: Socket, piece: string, milliseconds = 20): void {
  const timer = setInterval(() => socket.write(piece), milliseconds);
  socket.once('close', () => clearInterval(timer));
}
