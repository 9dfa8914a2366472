import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionInitMessage, Context, SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import type { Extra } from 'graphql-ws/use/ws';
import { GraphQLError } from 'graphql';
import { WebSocketServer } from 'ws';
import { ClientGone, PlatformError } from '../errors.js';
import { Reply } from '../context.js';
import type { Authenticator, Caller, RequestContext } from '../context.js';
import type { Graph } from '../graph/graph.js';
import type { GuardedExecution } from '../graph/guarded-execution.js';
import { callAt } from '../platform/call-at.js';
import type { Metrics } from '../platform/metrics.js';
import type { OpenRequests } from './open-requests.js';
import type { TransportSecurity } from './transport-security.js';

const INIT_MILLISECONDS = 3_000;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_OPERATIONS = 100;
const MAX_SOCKETS = 20;

/** Close codes of CONTRACT, section 1. */
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;
const TOO_MANY = 4429;

interface SocketState extends Record<PropertyKey, unknown> {
  address?: string;
  caller?: Caller;
  controller?: AbortController;
  cleanUp?: () => void;
}
type SocketContext = Context<ConnectionInitMessage['payload'], Extra & SocketState>;

interface GraphqlWsOptions {
  readonly graph: Graph;
  readonly guarded: GuardedExecution;
  readonly authenticator: Authenticator;
  readonly security: TransportSecurity;
  readonly open: OpenRequests;
  readonly metrics: Metrics;
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
}

/** GraphQL over WebSocket (graphql-transport-ws) on `/graphql`. */
export class GraphqlWs {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  private readonly initTimers = new WeakMap<object, NodeJS.Timeout>();
  private readonly socketsOfUser = new Map<string, number>();
  private readonly server: { dispose: () => void | Promise<void> };

  constructor(private readonly options: GraphqlWsOptions) {
    const { graph, guarded } = options;
    this.server = useServer<ConnectionInitMessage['payload'], SocketState>(
      {
        schema: graph.schema,
        validate: guarded.validate as never,
        execute: guarded.execute as never,
        subscribe: guarded.subscribe as never,
        // Ours answers 4401 in time; the library's own code for it is another.
        connectionInitWaitTimeout: INIT_MILLISECONDS * 2,
        isProd: true,
        onConnect: (context) => this.connect(context as SocketContext),
        onSubscribe: (context) => this.limitOperations(context as SocketContext),
        context: (context, _id, { extensions }) => this.requestContext(context as SocketContext, extensions),
        onDisconnect: (context) => (context as SocketContext).extra.cleanUp?.(),
      },
      this.sockets,
    );
    this.sockets.on('connection', (socket) => {
      const timer = setTimeout(() => socket.close(UNAUTHORIZED, 'No token in time'), INIT_MILLISECONDS);
      this.initTimers.set(socket, timer);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  /** Takes over the socket requests of a server, which is to upgrade no others. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Closes every socket. */
  async close(): Promise<void> {
    await this.server.dispose();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { open, security, isAllowedOrigin } = this.options;
    // Without a listener a connection that breaks now would end the process.
    socket.on('error', () => socket.destroy());
    if (!isSocketRequest(request)) return refuse(socket, 404);
    if (open.draining) return refuse(socket, 503);
    if (!security.isAcceptable(request) || !isAllowedOrigin(request)) return refuse(socket, 403);
    this.sockets.handleUpgrade(request, socket, head, (ws) => this.sockets.emit('connection', ws, request));
  }

  private async connect(context: SocketContext): Promise<boolean> {
    const { extra } = context;
    clearTimeout(this.initTimers.get(extra.socket));
    const authorization = (context.connectionParams as { authorization?: unknown } | undefined)?.authorization;
    try {
      if (typeof authorization !== 'string') throw new Error('no token');
      extra.caller = await this.options.authenticator.verify(authorization);
    } catch (error) {
      const known = error instanceof PlatformError && error.details.reason !== undefined;
      extra.socket.close(known ? FORBIDDEN : UNAUTHORIZED, known ? error.message : 'A valid token is required');
      return true;
    }
    this.admit(extra, extra.caller);
    return true;
  }

  private admit(extra: Extra & SocketState, caller: Caller): void {
    const { authenticator, open, security } = this.options;
    const sockets = this.socketsOfUser.get(caller.userId) ?? 0;
    if (sockets >= MAX_SOCKETS) return extra.socket.close(TOO_MANY, `At most ${MAX_SOCKETS} sockets a user`);
    if (extra.socket.readyState !== extra.socket.OPEN) return;
    this.socketsOfUser.set(caller.userId, sockets + 1);
    const controller = new AbortController();
    open.add(controller);
    const end = (reason: string): void => extra.socket.close(FORBIDDEN, reason);
    const cancelExpiry = callAt(caller.expiresAt * 1_000, () => end('The token has expired'));
    const unwatch = authenticator.watch(caller, (reason) => end(reason.message));
    controller.signal.addEventListener('abort', () => extra.socket.close(1001, 'Going away'), { once: true });
    extra.address = security.addressOf(extra.request);
    extra.controller = controller;
    extra.cleanUp = () => {
      cancelExpiry();
      unwatch();
      controller.abort(new ClientGone());
      open.remove(controller);
      const left = (this.socketsOfUser.get(caller.userId) ?? 1) - 1;
      if (left > 0) this.socketsOfUser.set(caller.userId, left);
      else this.socketsOfUser.delete(caller.userId);
    };
  }

  private limitOperations(context: SocketContext): readonly GraphQLError[] | undefined {
    if (Object.keys(context.subscriptions).length <= MAX_OPERATIONS) return undefined;
    const extensions = { type: 'invalid_request_error', code: 'bad_request', status: 400 };
    return [new GraphQLError(`At most ${MAX_OPERATIONS} operations may run on a socket.`, { extensions })];
  }

  private requestContext({ extra }: SocketContext, extensions: SubscribePayload['extensions']): RequestContext {
    const key = extensions?.idempotencyKey;
    this.options.metrics.countRequest({ door: 'graphql-ws', method: '-', route: '/graphql', status: '-' });
    return {
      door: 'graphql-ws',
      requestId: randomUUID(),
      address: extra.address ?? '',
      caller: extra.caller,
      // A socket has no headers for each operation.
      idempotencyKey: key === undefined || key === null ? undefined : String(key),
      signal: (extra.controller ?? new AbortController()).signal,
      reply: new Reply(),
      limited: false,
    };
  }
}

/** Whether a request asks for our socket; any other `Upgrade` is ignored, as HTTP allows. */
export function isSocketRequest({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && url?.split('?')[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket';
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
