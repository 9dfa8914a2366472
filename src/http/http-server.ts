import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../config.js';

const BAD_REQUEST = JSON.stringify({
  error: { message: 'This is not a valid HTTP request.', type: 'invalid_request_error', code: 'bad_request' },
});

/** The listening HTTP or HTTPS server. */
export class HttpServer {
  readonly server: Server;

  constructor(
    private readonly config: Config,
    listener: RequestListener,
  ) {
    const limits = { requestTimeout: 120_000, headersTimeout: 20_000, keepAliveTimeout: 65_000, noDelay: true };
    this.server = config.tls
      ? createTlsServer(
          { ...limits, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
          listener,
        )
      : createServer(limits, listener);
    this.server.on('clientError', (_error, socket) => answerBadRequest(socket as Socket));
  }

  /**
   * Starts to listen.
   * @returns the address, such as `http://127.0.0.1:8080`
   * @throws the socket's error, such as EADDRINUSE
   */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      // Web socket libraries swallow this event, and a port in use would hang the start.
      this.server.once('error', reject);
      this.server.listen(this.config.port, this.config.host, () => {
        this.server.off('error', reject);
        const { port } = this.server.address() as AddressInfo;
        const host = this.config.host.includes(':') ? `[${this.config.host}]` : this.config.host;
        resolve(`${this.config.tls ? 'https' : 'http'}://${host}:${port}`);
      });
    });
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

function answerBadRequest(socket: Socket): void {
  if (!socket.writable) return;
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${BAD_REQUEST.length}\r\nconnection: close\r\n\r\n${BAD_REQUEST}`,
  );
}
