import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Reply } from '../admission/reply.js';
import { BadRequest } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { sendError } from '../rest/respond.js';
import { endSocket } from './end-socket.js';
import { findHeadFault } from './request-head.js';

/** How long a connection may hold on to what it has, in milliseconds. */
export interface ConnectionLimits {
  /** From our end of a connection, everything sent, to its destruction: the other side may not end its half. */
  readonly end: number;
  /** How long bytes may wait without the network taking any of them. */
  readonly stall: number;
  /** How often the connections are looked at. */
  readonly check: number;
}

/** How long a connection may hold on where nothing else is said. */
const CONNECTION_LIMITS: ConnectionLimits = { end: 1_000, stall: 30_000, check: 1_000 };

/** Requests of one connection that may wait for their answers: one that pipelines thousands would keep all others waiting. */
export const MAX_PIPELINED = 100;
/** With so many a connection is not worth an answer: reading them is all the work that there is. */
const FLOOD = 10 * MAX_PIPELINED;

interface Connection {
  /** Requests whose responses are not closed, those that wait included. */
  open: number;
  /** The requests behind the one that is served, the next one first; undefined until there has been one. */
  waiting?: (readonly [IncomingMessage, ServerResponse])[];
  latest?: ServerResponse;
  /** Its last request has been taken; those behind it are not. */
  ending: boolean;
  /** It ends when what has been taken is answered. */
  endsAfterAnswers?: boolean;
  /** What the network had taken when it was last seen to take something. */
  taken: number;
  /** Since when nothing moves, on the clock of `performance`; undefined: nothing is waited for. */
  since?: number;
}

/**
 * What is read of a socket's handle, the one place that tells how much of a large write is on its way: the socket's own
 * numbers stay the same until all of it is. Over TLS it is the handle of the socket below that tells.
 */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/**
 * The connections of a server, plain, TLS and upgraded. One interval looks at all of them, and destroys those that
 * would be held for ever: ended by us and not by the other side, or never read by it. A connection on which nothing
 * waits to be sent, such as a silent stream, is left alone.
 */
export class Connections {
  private readonly connections = new Map<Socket, Connection>();
  /** Those whose next request may begin, each once. */
  private readonly ready: Connection[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    server: Server,
    private readonly serve: RequestListener,
    private readonly limits: ConnectionLimits = CONNECTION_LIMITS,
  ) {
    // Over TLS the socket of the first event is only what the second one's stands on.
    for (const event of ['connection', 'secureConnection']) server.on(event, (socket: Socket) => this.add(socket));
    this.timer = setInterval(() => this.check(performance.now()), limits.check).unref();
  }

  /**
   * Serves a request when all before it on its connection are answered, and the network has taken these answers: at
   * once where there are none. One whose connection breaks before that is not served at all. The first one too many is
   * refused with the end of the connection, and those behind it are ignored.
   */
  readonly admit = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // What is no path has no route either, and the router would answer it in its own way.
    if (!request.url?.startsWith('/'))
      return refuse(response, findHeadFault(request) ?? new BadRequest('Ask for a path of this server.'));
    const connection = this.connections.get(socket);
    if (!connection) return this.serve(request, response);
    connection.open += 1;
    if (connection.ending) {
      if (connection.open > FLOOD) socket.destroy();
      return;
    }
    connection.latest = response;
    response.once('close', () => {
      connection.open -= 1;
      if (connection.waiting?.length) this.makeReady(connection);
      if (connection.open === 0 && connection.endsAfterAnswers) endSocket(socket);
    });
    if (connection.open > MAX_PIPELINED) {
      connection.ending = true;
      return refuse(response, new BadRequest(`At most ${MAX_PIPELINED} requests may wait on a connection.`));
    }
    // Its body, if it has one, stays where it is until somebody reads it.
    if (connection.open > 1) (connection.waiting ??= []).push([request, response]);
    else this.serve(request, response);
  };

  /** Whether an earlier request of a connection is not answered: nothing but HTTP may come next there. */
  isBusy(socket: Socket): boolean {
    const { open = 0, latest } = this.connections.get(socket) ?? {};
    // The other side may have an answer before we know that it has been taken.
    return open > 1 || (open === 1 && latest?.writableEnded === false);
  }

  /**
   * Ends a connection on which something came that is no request, once the whole requests before it are answered: an
   * error would be taken for the answer of one of them.
   * @returns false, and does nothing, where there is none, so that the error can be told
   */
  endAfterAnswers(socket: Socket): boolean {
    const connection = this.connections.get(socket);
    const { open = 0, latest } = connection ?? {};
    if (!connection || open === 0 || (open === 1 && latest?.req.complete === false && !latest.headersSent))
      return false;
    connection.ending = true;
    connection.endsAfterAnswers = true;
    // The body of the last one is not there, and will never be.
    if (latest?.req.complete === false) endSocket(socket);
    return true;
  }

  /** Destroys every connection: also those with an unfinished handshake, and upgraded ones, which the server does not know. */
  close(): void {
    clearInterval(this.timer);
    for (const socket of this.connections.keys()) socket.destroy();
  }

  private add(socket: Socket): void {
    const connection: Connection = { open: 0, ending: false, taken: 0 };
    this.connections.set(socket, connection);
    socket.once('close', () => {
      this.connections.delete(socket);
      connection.waiting = undefined;
    });
  }

  private makeReady(connection: Connection): void {
    if (this.ready.push(connection) === 1) setImmediate(this.serveNext);
  }

  /** One request each turn of the loop, whatever the number of connections: those that do not pipeline come between. */
  private readonly serveNext = (): void => {
    const connection = this.ready.shift();
    if (this.ready.length > 0) setImmediate(this.serveNext);
    const [request, response] = connection?.waiting?.shift() ?? [];
    // What we have ended takes no more answers.
    if (request?.socket.writable && response) this.serve(request, response);
  };

  private check(now: number): void {
    for (const [socket, connection] of this.connections) {
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as unknown as { _handle?: Handle })._handle ?? {};
      if (writeQueueSize > 0 && !(socket instanceof TLSSocket)) {
        this.checkSending(socket, connection, bytesWritten - writeQueueSize, now);
      } else if (!socket.writableEnded || socket.writableLength > 0) {
        connection.since = undefined;
      } else if (now - (connection.since ??= now) >= this.limits.end) {
        socket.destroy();
      }
    }
  }

  private checkSending(socket: Socket, connection: Connection, taken: number, now: number): void {
    if (connection.since === undefined || taken !== connection.taken) {
      connection.taken = taken;
      connection.since = now;
    } else if (now - connection.since >= this.limits.stall) {
      socket.destroy();
    }
  }
}

/** Refuses a request that nobody serves, and ends its connection. */
function refuse(response: ServerResponse, error: PlatformError): void {
  const reply = new Reply();
  reply.setAll({ 'x-request-id': randomUUID(), 'cache-control': 'no-store', connection: 'close' });
  sendError(response, reply, error);
}
