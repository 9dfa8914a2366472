import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { BadRequest, HeadTooLarge, RequestTimeout } from '../errors.js';
import { ConfigError } from '../platform/config/config.js';
import { startArrivalDeadline } from '../platform/net/arrival-deadline.js';
import { OperationalError, systemCode } from '../platform/operational-error.js';
import type { HttpConfig } from './config.js';
import { Connections } from './connections.js';
import type { ConnectionLimits } from './connections.js';
import { refuseSocket } from './end-socket.js';
import { GRAPHQL_PATH, isSocketRequest } from './socket-requests.js';
import { findHeadFault } from './request-head.js';

/** How long a client may take, in milliseconds. */
const PATIENCE = {
  /** To send a whole request, but for uploads, whose readers look after that. */
  requestTimeout: 120_000,
  /** To send its head, also the first one of a connection. */
  headersTimeout: 20_000,
  /** How often these two are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Between two requests. */
  keepAliveTimeout: 65_000,
  handshakeTimeout: 10_000,
};

/** What differs from the usual. */
interface ServerOptions extends Partial<typeof PATIENCE> {
  readonly limits?: ConnectionLimits;
  /** Where web sockets are beside that of the graph. */
  readonly socketPaths?: readonly string[];
}

/** As Node tells of a head that does not arrive. */
const LATE = Object.assign(new Error('The request did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** The listening HTTP or HTTPS server. */
export class HttpServer {
  readonly server: Server;
  private readonly connections: Connections;

  /** @param patience what differs from the usual times */
  constructor(
    private readonly config: HttpConfig,
    listener: RequestListener,
    { limits, socketPaths, ...patience }: ServerOptions = {},
  ) {
    const { requestTimeout, ...times } = { ...PATIENCE, ...patience };
    const sockets = new Set([GRAPHQL_PATH, ...(socketPaths ?? [])]);
    const options = {
      ...times,
      // Node's own is the same for uploads.
      requestTimeout: 0,
      noDelay: true,
      // These are told with an error object.
      requireHostHeader: false,
      shouldUpgradeCallback: (request: IncomingMessage) =>
        isSocketRequest(request, sockets) && !findHeadFault(request) && !this.connections.isBusy(request.socket),
    };
    const certificate = readCertificate(config);
    this.server = certificate ? createTlsServer({ ...options, ...certificate }) : createServer(options);
    // The size of a head bounds them; headers that are dropped without a word would be read otherwise by a proxy.
    this.server.maxHeadersCount = 0;
    this.connections = new Connections(this.server, listener, limits);
    for (const event of ['request', 'checkExpectation', 'checkContinue']) {
      this.server.on(event, (request: IncomingMessage) => {
        startArrivalDeadline(request, requestTimeout, () => this.refuse(LATE, request.socket));
      });
    }
    this.server.on('request', this.connections.admit);
    this.server.on('checkExpectation', this.connections.admit);
    this.server.on('checkContinue', (request, response) => this.answerExpectant(request, response));
    this.server.on('clientError', (error, socket) => this.refuse(error, socket as Socket));
    this.server.on('connect', (_request, socket) => refuseSocket(socket, new BadRequest('This server is no proxy.')));
  }

  /**
   * Starts to listen.
   * @returns the address, such as `http://127.0.0.1:8080`
   * @throws OperationalError where the address cannot be had, such as one in use
   */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      // Web socket libraries swallow this event, and a port in use would hang the start.
      const fail = (error: Error) => reject(explainFailedListen(this.config, error));
      this.server.once('error', fail);
      this.server.listen(this.config.port, this.config.host, () => {
        this.server.off('error', fail);
        const { port } = this.server.address() as AddressInfo;
        const host = this.config.host.includes(':') ? `[${this.config.host}]` : this.config.host;
        resolve(`${this.config.tlsCertFile ? 'https' : 'http'}://${host}:${port}`);
      });
    });
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.server.listening) this.server.close(() => resolve());
      else resolve();
    });
    this.connections.close();
    await closed;
  }

  /** Tells a client to go on only when somebody begins to read its body: a refusal comes in place of that. */
  private answerExpectant(request: IncomingMessage, response: ServerResponse): void {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    this.connections.admit(request, response);
  }

  /** Answers what is no request that HTTP knows, or does not arrive. */
  private refuse(error: Error & { code?: string }, socket: Socket): void {
    // What still comes behind the first error is no request either.
    if (socket.writableEnded) return;
    const isRequest = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || error.code?.startsWith('HPE_');
    if (!isRequest || !socket.writable) {
      // Broken connections and handshakes that failed cannot be written to.
      socket.destroy();
    } else if (this.connections.endAfterAnswers(socket)) {
      return;
    } else if (error.code === 'HPE_HEADER_OVERFLOW') {
      refuseSocket(socket, new HeadTooLarge());
    } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuseSocket(socket, new RequestTimeout());
    } else {
      refuseSocket(socket, new BadRequest('This is not a valid HTTP request.'));
    }
  }
}

function explainFailedListen({ host, port }: HttpConfig, error: Error): Error {
  const code = systemCode(error);
  const place = `${host}, port ${port}`;
  if (code === 'EADDRINUSE') {
    return new OperationalError(`Another program serves at ${place} (${code}). Stop it, or set another PORT.`);
  }
  if (code === 'EACCES') {
    return new OperationalError(`This user may not serve at ${place} (${code}). Set a PORT above 1023, or let it.`);
  }
  if (code === '') return error;
  return new OperationalError(
    `The server cannot listen at ${place} (${code}). Set HOST to an address of this machine.`,
  );
}

/** @throws ConfigError where the files are not there, or no certificate with its key */
function readCertificate({ tlsCertFile, tlsKeyFile }: HttpConfig): { cert: Buffer; key: Buffer } | undefined {
  if (!tlsCertFile || !tlsKeyFile) return undefined;
  const read = (name: string, file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new ConfigError([`${name}: ${file} cannot be read (${systemCode(error)})`]);
    }
  };
  const certificate = { cert: read('TLS_CERT_FILE', tlsCertFile), key: read('TLS_KEY_FILE', tlsKeyFile) };
  try {
    createSecureContext(certificate);
  } catch {
    throw new ConfigError(['TLS_CERT_FILE and TLS_KEY_FILE: are no certificate and its key, both as PEM']);
  }
  return certificate;
}
