import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, STATUS_CODES } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../config.js';
import { isSocketRequest } from './graphql-ws.js';

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
    const options = {
      requestTimeout: 120_000,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
      noDelay: true,
      shouldUpgradeCallback: isSocketRequest,
    };
    this.server = config.tls
      ? createTlsServer(
          { ...options, cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
          listener,
        )
      : createServer(options, listener);
    this.server.on('clientError', (error, socket) => refuseRequest(error, socket as Socket));
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

/** Answers what is no request that HTTP knows, or one with too many headers. */
function refuseRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${randomUUID()}\r\ncontent-length: ${BAD_REQUEST.length}\r\nconnection: close\r\n\r\n${BAD_REQUEST}`,
  );
}
