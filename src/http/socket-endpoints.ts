import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { Authenticator, Caller } from '../access/caller.js';
import { OperationAdmission } from '../admission/operation-admission.js';
import type { AdmissionPorts } from '../admission/operation-admission.js';
import { Reply } from '../admission/reply.js';
import {
  BadRequest,
  Forbidden,
  InternalError,
  PlatformError,
  RateLimited,
  Unauthorized,
  Unavailable,
} from '../errors.js';
import { callAt } from '../platform/async/call-at.js';
import { findExcess, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';
import type { Metrics } from '../platform/telemetry/metrics.js';
import { refuseSocket } from './end-socket.js';
import type { OpenRequests } from './open-requests.js';
import { requestIdsOf, userAgentOf } from './request-context.js';
import type { TransportSecurity } from './request-head.js';
import type { SocketEndpoint, SocketHandler, SocketRequest } from './socket-endpoint.js';
import { SocketInbox } from './socket-inbox.js';
import { CLOSE_CODES, SocketSession } from './socket-session.js';

/** Of one user. */
const MAX_SOCKETS = 20;
/** Of a text message. */
const MESSAGE_LIMITS = { depth: MAX_JSON_DEPTH, nodes: 10_000, items: 100_000 };
/** What a peer may leave unread, whatever its handler has to say: what is beyond is nobody's to wait for. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024;
const BEARER = 'Bearer ';

interface SocketEndpointsParts {
  readonly endpoints: readonly SocketEndpoint[];
  readonly authenticator: Authenticator;
  readonly security: TransportSecurity;
  readonly open: OpenRequests;
  readonly metrics: Metrics;
  readonly admission: AdmissionPorts;
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
}

type Prepared = Awaited<ReturnType<SocketEndpoint['prepare']>>;

interface Admitted {
  readonly caller: Caller;
  readonly ending: AbortController;
  readonly make: Prepared;
  /** Gives back what the socket has taken. */
  readonly release: () => void;
}

/**
 * The web sockets of domains. The credential comes with the request, as a header or a subprotocol, and is asked for before
 * the socket is opened; what is refused is answered with an error object. A token that ends, ends its sockets.
 */
export class SocketEndpoints {
  private readonly servers: ReadonlyMap<string, readonly [SocketEndpoint, WebSocketServer]>;
  private readonly socketsOfUser = new Map<string, number>();

  constructor(private readonly parts: SocketEndpointsParts) {
    this.servers = new Map(parts.endpoints.map((endpoint) => [endpoint.path, [endpoint, serverOf(endpoint)] as const]));
  }

  /** Where there are sockets. */
  get paths(): readonly string[] {
    return [...this.servers.keys()];
  }

  /** Answers a request for a socket at one of the paths. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    this.answer(request, socket, head).catch((error: unknown) => {
      this.parts.admission.log.error({ err: error }, 'a web socket could not be opened');
      socket.destroy();
    });
  };

  /** Cuts off whoever is still there. */
  async close(): Promise<void> {
    for (const [, server] of this.servers.values()) {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  }

  private async answer(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    const [endpoint, server] = this.servers.get(path ?? '') ?? [];
    if (!endpoint || !server) return void socket.destroy();
    const gone = new AbortController();
    const leave = (): void => gone.abort(new Unavailable('The client has left.'));
    socket.once('close', leave);
    try {
      const admitted = await this.admit(endpoint, request, gone);
      socket.off('close', leave);
      if (socket.destroyed) return admitted.release();
      // What the handshake refuses has ended the connection already.
      socket.once('close', admitted.release);
      server.handleUpgrade(request, socket, head, (ws) => this.accept(ws, request, admitted));
    } catch (error) {
      gone.abort(error);
      refuseSocket(socket, error instanceof PlatformError ? error : this.unknown(error, endpoint));
    }
  }

  /** @throws PlatformError */
  private async admit(endpoint: SocketEndpoint, request: IncomingMessage, ending: AbortController): Promise<Admitted> {
    const { admission: ports, authenticator, isAllowedOrigin, metrics, open, security } = this.parts;
    metrics.countRequest({ transport: 'websocket', method: 'GET', route: endpoint.path, status: '-' });
    if (open.draining) throw goingAway();
    if (!security.isAcceptable(request) || !isAllowedOrigin(request))
      throw new Forbidden('This origin or connection is not allowed.');
    const ids = requestIdsOf(request);
    const client = { ...ids, address: security.addressOf(request), userAgent: userAgentOf(request) };
    const credentials = await identify(authenticator, authorizationOf(endpoint, request));
    const caller = credentials.principal && { ...credentials.principal, client };
    const reply = new Reply();
    const admission = new OperationAdmission(ports, { client, caller, credentialError: credentials.error, reply });
    await admission.admit(endpoint.rule, endpoint.name);
    // Without a caller the rule has refused it.
    if (!caller) throw new Unauthorized();
    const releases = [this.takePlace(caller)];
    try {
      releases.push(await admission.openStream());
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
      const socketRequest: SocketRequest = { ...ids, caller, query, signal: ending.signal, admission };
      const make = await endpoint.prepare(socketRequest);
      return { caller, ending, make, release: () => releases.splice(0).forEach((release) => release()) };
    } catch (error) {
      for (const release of releases) release();
      throw error;
    }
  }

  private accept(ws: WebSocket, request: IncomingMessage, { caller, ending, make }: Admitted): void {
    const { authenticator, open } = this.parts;
    let handler: SocketHandler | undefined;
    const session = new SocketSession(ws, request, {
      handled: () => undefined,
      ending: (reason) => handler?.ending(reason),
      mostUnreadBytes: MOST_UNREAD_BYTES,
    });
    session.open(caller, { subscriptions: {} });
    session.controller.signal.addEventListener('abort', () => ending.abort(session.controller.signal.reason), {
      once: true,
    });
    const cancelExpiry = callAt(caller.expiresAt * 1_000, () => {
      session.end(CLOSE_CODES.forbidden, new Unauthorized('The token has expired.', 'token_expired'));
    });
    const unwatch = authenticator.watch(caller, (reason) => session.end(CLOSE_CODES.forbidden, reason));
    const forget = open.addSocket({
      drain: () => session.end(CLOSE_CODES.goingAway, goingAway()),
      end: (reason) => session.end(CLOSE_CODES.goingAway, reason),
    });
    ws.once('close', () => {
      cancelExpiry();
      unwatch();
      forget();
    });
    if (session.ended) return;
    handler = make({ send: (text) => session.send(text), close: (code, reason) => session.leave(code, reason) });
    this.receive(ws, session, handler);
  }

  private receive(ws: WebSocket, session: SocketSession, handler: SocketHandler): void {
    const inbox = new SocketInbox(session, async (data, isBinary) => {
      try {
        if (isBinary) await handler.binary(data);
        else if (findExcess(data, MESSAGE_LIMITS)) throw new BadRequest('A message has too many parts.');
        else await handler.text(data.toString('utf8'));
      } catch (error) {
        const told = error instanceof PlatformError ? error : this.unknown(error);
        session.end(told.status < 500 ? CLOSE_CODES.badRequest : CLOSE_CODES.internal, told);
      }
    });
    ws.on('message', (data: RawData, isBinary: boolean) => inbox.push(data as Buffer, isBinary));
  }

  private takePlace({ userId }: Caller): () => void {
    const sockets = this.socketsOfUser.get(userId) ?? 0;
    if (sockets >= MAX_SOCKETS) {
      const state = { limit: MAX_SOCKETS, remaining: 0, resetSeconds: 1 };
      throw new RateLimited(`At most ${MAX_SOCKETS} sockets a user.`, state);
    }
    this.socketsOfUser.set(userId, sockets + 1);
    return () => {
      const left = (this.socketsOfUser.get(userId) ?? 1) - 1;
      if (left > 0) this.socketsOfUser.set(userId, left);
      else this.socketsOfUser.delete(userId);
    };
  }

  private unknown(error: unknown, endpoint?: SocketEndpoint): PlatformError {
    this.parts.admission.log.error({ err: error, route: endpoint?.path }, 'a web socket failed');
    return new InternalError();
  }
}

function serverOf({ protocols, maxMessageBytes }: SocketEndpoint): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Sessions answer pings themselves, as long as the answers are read.
    autoPong: false,
    // Others have their turn between the many small frames that one chunk may have.
    allowSynchronousEvents: false,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  });
  server.on('wsClientError', (error, socket) => refuseSocket(socket, new BadRequest(`${error.message}.`)));
  return server;
}

/** The header, or a subprotocol that carries the token: browsers can send no header with a socket. */
function authorizationOf({ tokenProtocol }: SocketEndpoint, { headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined || tokenProtocol === undefined) return headers.authorization;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  const carrier = offered.find((protocol) => protocol.startsWith(tokenProtocol));
  return carrier && BEARER + carrier.slice(tokenProtocol.length);
}

async function identify(authenticator: Authenticator, authorization: string | undefined) {
  if (authorization === undefined) return {};
  try {
    return { principal: await authenticator.verify(authorization) };
  } catch (error) {
    if (error instanceof PlatformError) return { error };
    throw error;
  }
}

function goingAway(): Unavailable {
  return new Unavailable('The server is shutting down.');
}
