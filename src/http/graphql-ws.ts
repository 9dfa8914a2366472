import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, GraphQLError } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { ConnectionInitMessage, Context, Server as ProtocolServer, SubscribePayload } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { BadRequest, ClientGone, Forbidden, PlatformError, RateLimited, Unauthorized, Unavailable } from '../errors.js';
import { OperationAdmission } from '../admission/operation-admission.js';
import type { AdmissionPorts, AdmissionRequest } from '../admission/operation-admission.js';
import { Reply } from '../admission/reply.js';
import type { Authenticator, Principal } from '../access/caller.js';
import type { Client } from '../access/client.js';
import type { RequestContext, Responders } from '../context.js';
import type { Graph } from '../graph/graph.js';
import type { GuardedExecution } from '../graph/guarded-execution.js';
import { InvalidOperation } from '../graph/operations.js';
import type { OperationChecker } from '../graph/operations.js';
import { callAt } from '../platform/async/call-at.js';
import type { Metrics } from '../platform/telemetry/metrics.js';
import { refuseSocket } from './end-socket.js';
import type { OpenRequests } from './open-requests.js';
import { userAgentOf } from './request-context.js';
import { CLOSE_CODES, SocketSession } from './socket-session.js';
import type { TransportSecurity } from './request-head.js';

const INIT_MS = 3_000;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_OPERATIONS = 100;
const MAX_SOCKETS = 20;

interface SocketExtra extends Record<PropertyKey, unknown> {
  readonly session: SocketSession;
}
type SocketContext = Context<ConnectionInitMessage['payload'], SocketExtra>;

interface GraphqlWsOptions {
  readonly graph: Graph;
  readonly guarded: GuardedExecution;
  readonly checker: OperationChecker;
  readonly authenticator: Authenticator;
  readonly security: TransportSecurity;
  readonly open: OpenRequests;
  readonly metrics: Metrics;
  readonly admission: AdmissionPorts;
  readonly responders: Responders;
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
}

/** GraphQL over WebSocket (graphql-transport-ws) on `/graphql`. */
export class GraphqlWs {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    // Sessions answer pings themselves, as long as the answers are read.
    autoPong: false,
    // Others have their turn between the many small frames that one chunk may have.
    allowSynchronousEvents: false,
    handleProtocols,
  });
  private readonly socketsOfUser = new Map<string, number>();
  private readonly protocol: ProtocolServer<SocketExtra>;

  constructor(private readonly options: GraphqlWsOptions) {
    const { guarded } = options;
    this.protocol = makeServer<ConnectionInitMessage['payload'], SocketExtra>({
      execute: guarded.execute as never,
      subscribe: guarded.subscribe as never,
      // Ours answers 4401 in time; the library's own code for it is another.
      connectionInitWaitTimeout: INIT_MS * 2,
      onConnect: (context) => this.connect(context),
      onSubscribe: (context, _id, payload) => this.prepare(context, payload),
    });
    this.sockets.on('wsClientError', (error, socket) => refuseSocket(socket, new BadRequest(`${error.message}.`)));
    this.sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => this.accept(socket, request));
  }

  /** Cuts off whoever is still there. */
  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    await new Promise<void>((resolve) => this.sockets.close(() => resolve()));
  }

  /** Answers a request for a socket at `/graphql`. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { open, security, isAllowedOrigin } = this.options;
    if (open.draining) return refuseSocket(socket, goingAway());
    if (!security.isAcceptable(request) || !isAllowedOrigin(request))
      return refuseSocket(socket, new Forbidden('This origin or connection is not allowed.'));
    this.sockets.handleUpgrade(request, socket, head, (ws) => this.sockets.emit('connection', ws, request));
  };

  private accept(socket: WebSocket, request: IncomingMessage): void {
    const session = new SocketSession(socket, request, { handled: (one) => this.closeIfDrained(one) });
    const timer = setTimeout(() => {
      if (!session.principal) session.end(CLOSE_CODES.unauthorized, new Unauthorized('No token came in time.'));
    }, INIT_MS);
    const closed = this.protocol.opened(session.toGraphqlSocket(), { session });
    socket.once('close', (code, reason) => {
      clearTimeout(timer);
      void closed(code, String(reason)).catch(() => undefined);
    });
  }

  private async connect(context: SocketContext): Promise<boolean> {
    const { session } = context.extra;
    try {
      const principal = await this.options.authenticator.verify(authorizationOf(context, session.request));
      this.admit(session, principal, context);
    } catch (error) {
      await this.refuse(session, error);
    }
    return true;
  }

  /** Ends a socket whose token does not count. That one was revoked is recorded, as of every other request. */
  private async refuse(session: SocketSession, error: unknown): Promise<void> {
    const isKnown = error instanceof PlatformError && error.details.reason !== undefined;
    if (!isKnown) return session.end(CLOSE_CODES.unauthorized, new Unauthorized('A valid token is required.'));
    const { admission: ports } = this.options;
    const [client, reply] = [this.clientOf(session.request), new Reply()];
    const admission = new OperationAdmission(ports, { client, credentialError: error, reply });
    await admission
      .recordDenial({ credential: 'bearer' }, 'connection_init', error)
      .catch((failure: unknown) => ports.log.error({ err: failure }, 'the refusal of a socket is not recorded'));
    session.end(CLOSE_CODES.forbidden, error);
  }

  private admit(session: SocketSession, principal: Principal, context: SocketContext): void {
    const { authenticator, open } = this.options;
    const sockets = this.socketsOfUser.get(principal.userId) ?? 0;
    if (sockets >= MAX_SOCKETS) {
      const state = { limit: MAX_SOCKETS, remaining: 0, resetSeconds: 1 };
      return session.end(CLOSE_CODES.tooMany, new RateLimited(`At most ${MAX_SOCKETS} sockets a user.`, state));
    }
    if (session.ended) return;
    session.open(principal, context);
    this.socketsOfUser.set(principal.userId, sockets + 1);
    const cancelExpiry = callAt(principal.expiresAt * 1_000, () => {
      session.end(CLOSE_CODES.forbidden, new Unauthorized('The token has expired.', 'token_expired'));
    });
    const unwatch = authenticator.watch(principal, (reason) => session.end(CLOSE_CODES.forbidden, reason));
    const forget = open.addSocket({
      drain: () => this.closeIfDrained(session),
      end: (reason) => session.end(CLOSE_CODES.goingAway, reason),
    });
    session.socket.once('close', () => {
      cancelExpiry();
      unwatch();
      forget();
      const left = (this.socketsOfUser.get(principal.userId) ?? 1) - 1;
      if (left > 0) this.socketsOfUser.set(principal.userId, left);
      else this.socketsOfUser.delete(principal.userId);
    });
  }

  /** A server that drains waits for operations, and not for sockets that have none. */
  private closeIfDrained(session: SocketSession): void {
    if (!this.options.open.draining || session.running > 0) return;
    session.end(CLOSE_CODES.goingAway, goingAway());
  }

  /** What graphql-ws is to execute, or why it is not. */
  private prepare(context: SocketContext, payload: SubscribePayload): ExecutionArgs | readonly GraphQLError[] {
    const { checker, graph, open } = this.options;
    try {
      if (context.extra.session.ended || open.draining) throw goingAway();
      if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) {
        throw new BadRequest(`At most ${MAX_OPERATIONS} operations may run on a socket.`);
      }
      const { query, operationName, variables, extensions } = payload;
      const { document } = checker.check({ query, operationName, variables });
      return {
        schema: graph.schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: this.requestContext(context.extra.session, extensions),
      };
    } catch (error) {
      if (error instanceof InvalidOperation) return error.errors;
      if (error instanceof PlatformError) return [error];
      throw error;
    }
  }

  private requestContext(session: SocketSession, extensions: SubscribePayload['extensions']): RequestContext {
    const key = extensions?.idempotencyKey;
    this.options.metrics.countRequest({ transport: 'graphql-ws', method: '-', route: '/graphql', status: '-' });
    const { principal, request } = session;
    const [client, reply] = [this.clientOf(request), new Reply()];
    const caller = principal && { ...principal, client };
    // A socket has no headers for each operation.
    const idempotencyKey = key === undefined || key === null ? undefined : String(key);
    const { admission, signal } = this.openOperation(session, { client, caller, idempotencyKey, reply });
    return {
      ...client,
      transport: 'graphql-ws',
      caller,
      signal,
      reply,
      admission,
      responders: this.options.responders,
    };
  }

  /** An operation ends with its socket; one with an Idempotency-Key may go on where its client has left. */
  private openOperation({ controller: { signal } }: SocketSession, asked: AdmissionRequest) {
    const { admission: ports } = this.options;
    if (asked.idempotencyKey === undefined) return { admission: new OperationAdmission(ports, asked), signal };
    const controller = new AbortController();
    const over = (): void => signal.removeEventListener('abort', end);
    const admission = new OperationAdmission(ports, { ...asked, controller, over });
    const end = (): void => {
      if (signal.reason instanceof ClientGone) admission.leave();
      else controller.abort(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
    return { admission, signal: controller.signal };
  }

  /** Of one operation, or of the token that came first; nobody names them. */
  private clientOf(request: IncomingMessage): Client {
    return {
      address: this.options.security.addressOf(request),
      userAgent: userAgentOf(request),
      serverRequestId: randomUUID(),
    };
  }
}

/**
 * The token of a socket: as `authorization` in the payload of `connection_init`, or as routers pass it on: with a capital
 * letter, below `headers`, or as the header of the upgrade.
 */
function authorizationOf({ connectionParams }: SocketContext, { headers }: IncomingMessage): string {
  const payload = Object(connectionParams) as Record<string, unknown>;
  const nested = Object(payload.headers) as Record<string, unknown>;
  const sent = [payload.authorization, payload.Authorization, nested.authorization, nested.Authorization];
  const found = [...sent, headers.authorization].find((value) => value !== undefined && value !== null);
  if (typeof found === 'string') return found;
  throw new Unauthorized();
}

function goingAway(): Unavailable {
  return new Unavailable('The server is shutting down.');
}
