import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

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
export const CONNECTION_LIMITS: ConnectionLimits = { end: 1_000, stall: 30_000, check: 1_000 };

/** Requests of one connection that may be answered at once: one that pipelines thousands would keep all others waiting. */
export const MAX_PIPELINED = 100;
/** With so many a connection is not worth an answer: reading them is all the work that there is. */
const FLOOD = 10 * MAX_PIPELINED;

interface Connection {
  /** Requests whose responses are not closed. */
  open: number;
  latest?: ServerResponse;
  /** Its last request has been taken; those behind it are not. */
  ending: boolean;
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
  private readonly timer: NodeJS.Timeout;

  constructor(
    server: Server,
    private readonly limits: ConnectionLimits = CONNECTION_LIMITS,
  ) {
    // Over TLS the socket of the first event is only what the second one's stands on.
    for (const event of ['connection', 'secureConnection']) server.on(event, (socket: Socket) => this.add(socket));
    this.timer = setInterval(() => this.check(performance.now()), limits.check).unref();
  }

  /**
   * Counts a request among those of its connection until its response is closed.
   * @returns `last` for the first one that is too many; those behind it are `ignored`
   */
  admit({ socket }: IncomingMessage, response: ServerResponse): 'served' | 'last' | 'ignored' {
    const connection = this.connections.get(socket);
    if (!connection) return 'served';
    connection.open += 1;
    if (connection.ending) {
      if (connection.open > FLOOD) socket.destroy();
      return 'ignored';
    }
    connection.latest = response;
    response.once('close', () => {
      connection.open -= 1;
    });
    if (connection.open <= MAX_PIPELINED) return 'served';
    connection.ending = true;
    return 'last';
  }

  /** Whether a text could stand in the middle of an answer, or be taken for that of an earlier request. */
  isAnswering(socket: Socket): boolean {
    const { open = 0, latest } = this.connections.get(socket) ?? {};
    return open > 1 || (open === 1 && latest?.headersSent === true);
  }

  /** Destroys every connection: also those with an unfinished handshake, and upgraded ones, which the server does not know. */
  close(): void {
    clearInterval(this.timer);
    for (const socket of this.connections.keys()) socket.destroy();
  }

  private add(socket: Socket): void {
    this.connections.set(socket, { open: 0, ending: false, taken: 0 });
    socket.once('close', () => this.connections.delete(socket));
  }

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
