import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readConfig } from '../../../src/config.js';
import { HttpServer } from '../../../src/http/http-server.js';
import { openRaw } from '../probes/raw-client.js';

/** The HTTP server of the platform before a listener of a test, and the connections of its clients. */
export class TestHttpServer {
  private readonly sockets: Socket[] = [];

  private constructor(
    readonly http: HttpServer,
    readonly url: string,
  ) {}

  /**
   * Starts one on a free port.
   * @param env start-up variables, such as those of TLS
   * @param patience how long it waits for what, where that differs from the usual
   */
  static async start(
    listener: RequestListener,
    env: Readonly<Record<string, string>> = {},
    patience: ConstructorParameters<typeof HttpServer>[2] = {},
  ): Promise<TestHttpServer> {
    const http = new HttpServer(readConfig({ PORT: '0', ...env }), listener, patience);
    return new TestHttpServer(http, await http.listen());
  }

  /** Opens a connection, by TLS where the server speaks it, whose half stays open whatever the server does. */
  async open(): Promise<Socket> {
    const socket = this.url.startsWith('https') ? await openTls(this.url) : await openRaw(this.url);
    this.sockets.push(socket);
    return socket;
  }

  /** Opens connections without a handshake. */
  async openRaw(count: number): Promise<Socket[]> {
    const opened = await Promise.all(Array.from({ length: count }, () => openRaw(this.url)));
    this.sockets.push(...opened);
    return opened;
  }

  /** Has the server look at its connections, as it does by itself from time to time. @param now on a clock of the test */
  look(now: number): void {
    const { connections } = this.http as unknown as { connections: { check(now: number): void } };
    connections.check(now);
  }

  /** How many connections the server has. */
  countOpen(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** The server's side of the next connection. */
  async accepted(): Promise<Socket> {
    const [socket] = (await once(this.http.server, 'connection')) as [Socket];
    return socket;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await this.http.close();
  }
}

async function openTls(url: string): Promise<Socket> {
  const { port } = new URL(url);
  const options = { port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true };
  const socket = connectTls(options);
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}
