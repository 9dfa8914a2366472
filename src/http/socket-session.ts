import type { IncomingMessage } from 'node:http';
import type { WebSocket as GraphqlSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Principal } from '../access/caller.js';
import { BadRequest, ClientGone, Unauthorized } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { findExcess, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';

/** How long a peer may take to answer a close before its connection is cut. */
const CLOSE_MS = 500;
/** Unread bytes at which nothing more is read from a peer nor handled, and the most that one may leave unread for long. */
const UNREAD_BYTES = 1024 * 1024;
/** How long a peer with as much unread may take nothing at all. */
const STALLED_MS = 5_000;
/** How often an open connection is asked for a sign of life. */
const PING_MS = 12_000;
/** What anyone may send before a token is known. */
const INIT_BYTES = 64 * 1024;
/** A message wraps the variables of an operation, whose own depth is checked with their types. */
const MESSAGE_LIMITS = { depth: MAX_JSON_DEPTH + 4, nodes: 100_000, items: 1_000_000 };
/** Of a close reason; the protocol allows 123 bytes. */
const REASON_CHARACTERS = 100;

/** Why the server closes a socket, beside the codes of WebSocket itself. */
export const CLOSE_CODES = {
  badRequest: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  tooMany: 4429,
  goingAway: 1001,
  internal: 1011,
} as const;

/** What graphql-ws keeps of a socket: its operations by their ids. */
interface Operations {
  readonly subscriptions: Readonly<Record<string, unknown>>;
}

/**
 * One web socket: what its peer may send and leave unread, and how it ends. Once it has ended nothing is done for its
 * peer any more, whether that answers the close or not.
 */
export class SocketSession {
  /** Known once the token is. */
  principal: Principal | undefined;
  /** Aborted when the socket ends, so that its operations stop. */
  readonly controller = new AbortController();
  private operations: Operations = { subscriptions: {} };
  private isEnded = false;
  private isInitialised = false;
  private isHeld = false;
  /** Whether a ping waits for an answer; what had been read by then. */
  private isAsked = false;
  private readBytes = 0;
  /** Who waits until the peer has read. */
  private waiting: (() => void)[] = [];

  constructor(
    readonly socket: WebSocket,
    readonly request: IncomingMessage,
    private readonly hooks: {
      /** Called when an operation, or any other message, is done with. */
      readonly handled: (session: SocketSession) => void;
      /** Called before the server ends the socket; what it answers is sent as the last text. */
      readonly ending?: (error: PlatformError) => string | undefined;
      /** A socket with more unread is cut off where more is to be sent. Streams that wait for `send` need no such bound. */
      readonly mostUnreadBytes?: number;
    },
  ) {
    const pings = setInterval(() => this.ping(), PING_MS).unref();
    // What breaks on the wire is the peer's affair: the socket closes, and its close says so.
    socket.on('error', () => undefined);
    socket.on('ping', (data: Buffer) => {
      // Whoever does not read gets no answers to leave unread.
      if (socket.bufferedAmount < UNREAD_BYTES) socket.pong(data);
    });
    // Node takes a write that goes on in part for a sign of life: a slow reader of a large answer is left alone.
    request.socket.setTimeout(STALLED_MS).on('timeout', () => {
      if (socket.bufferedAmount >= UNREAD_BYTES) socket.terminate();
      // Node tells it once for all writes that wait: more may be left unread before the next.
      else request.socket.setTimeout(STALLED_MS);
    });
    socket.once('close', () => {
      clearInterval(pings);
      this.isEnded = true;
      this.controller.abort(new ClientGone());
      this.regulate();
    });
  }

  /** Whether the socket is closed, or was told to close. */
  get ended(): boolean {
    return this.isEnded;
  }

  /** How many operations run. */
  get running(): number {
    return Object.keys(this.operations.subscriptions).length;
  }

  /** Tells whose socket it is; operations may come from now on. */
  open(principal: Principal, operations: Operations): void {
    this.principal = principal;
    this.operations = operations;
  }

  /**
   * Ends the socket: tells each running operation its error, so that no client runs it again, stops them, and closes; a
   * peer that does not answer the close is cut off.
   * @param error what the operations are told
   */
  end(code: number, error: PlatformError): void {
    if (this.isEnded) return;
    const { message, extensions } = error;
    for (const id of Object.keys(this.operations.subscriptions)) {
      this.socket.send(JSON.stringify({ id, type: 'error', payload: [{ message, extensions }] }));
    }
    const last = this.hooks.ending?.(error);
    if (last !== undefined) this.socket.send(last);
    this.close(code, message, error);
  }

  /** Closes a socket on which all is said. */
  leave(code: number, reason: string): void {
    if (!this.isEnded) this.close(code, reason, new ClientGone());
  }

  private close(code: number, message: string, error: PlatformError): void {
    this.isEnded = true;
    this.controller.abort(error);
    this.socket.close(code, message.slice(0, REASON_CHARACTERS));
    this.regulate();
    const timer = setTimeout(() => this.socket.terminate(), CLOSE_MS);
    this.socket.once('close', () => clearTimeout(timer));
  }

  /** The socket as graphql-ws uses it. */
  toGraphqlSocket(): GraphqlSocket {
    const { socket } = this;
    return {
      protocol: socket.protocol,
      send: (text) => this.send(text),
      close: (code = CLOSE_CODES.badRequest, reason = 'Bad request') => this.end(code, new BadRequest(reason)),
      onMessage: (handle) => {
        socket.on('message', (data: Buffer) => void this.receive(data, handle));
      },
      // Its payload is of no use to us, and is not sent back.
      onPing: () => this.send('{"type":"pong"}'),
    };
  }

  /** Resolves when the bytes have left the process, so that a stream waits for its reader. */
  send(text: string): Promise<void> {
    const { socket } = this;
    if (this.isEnded || socket.readyState !== socket.OPEN) return Promise.resolve();
    if (socket.bufferedAmount > (this.hooks.mostUnreadBytes ?? Number.POSITIVE_INFINITY)) {
      socket.terminate();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      socket.send(text, () => {
        this.regulate();
        resolve();
      });
      this.regulate();
    });
  }

  /** Reads nothing more, or goes on: as whoever handles the messages says. */
  hold(isHeld: boolean): void {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    this.regulate();
  }

  /** Resolves when the peer has read so much that it may be answered, or the socket has ended. */
  whenRead(): Promise<void> {
    return this.isUnread ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  private get isUnread(): boolean {
    return !this.isEnded && this.socket.bufferedAmount >= UNREAD_BYTES;
  }

  /** The one place that says whether more is read: not from whoever does not read; of an ended socket the answer to the close. */
  private regulate(): void {
    const { isUnread, socket } = this;
    const isStopped = isUnread || (this.isHeld && !this.isEnded);
    if (isStopped !== socket.isPaused) {
      if (isStopped) socket.pause();
      else socket.resume();
      // Its answer may stand behind what was not read.
      this.isAsked = false;
    }
    if (!isUnread) for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async receive(message: Buffer, handle: (text: string) => Promise<void>): Promise<void> {
    if (this.isEnded) return;
    if (!this.isInitialised && !isInitialisation(message)) {
      return this.end(CLOSE_CODES.unauthorized, new Unauthorized('connection_init must come first.'));
    }
    this.isInitialised = true;
    if (findExcess(message, MESSAGE_LIMITS)) {
      return this.end(CLOSE_CODES.badRequest, new BadRequest('A message is nested too deeply, or has too many parts.'));
    }
    try {
      await handle(message.toString('utf8'));
      this.hooks.handled(this);
    } catch {
      this.end(CLOSE_CODES.badRequest, new BadRequest('A message could not be understood.'));
    }
  }

  /** Ends a peer of which nothing has come since it was asked. One that is not read cannot answer. */
  private ping(): void {
    if (this.isEnded || this.socket.isPaused) return;
    const { bytesRead } = this.request.socket;
    if (this.isAsked && bytesRead === this.readBytes) return this.socket.terminate();
    this.isAsked = true;
    this.readBytes = bytesRead;
    this.socket.ping();
  }
}

function isInitialisation(message: Buffer): boolean {
  if (message.length > INIT_BYTES || findExcess(message, MESSAGE_LIMITS)) return false;
  try {
    return (JSON.parse(message.toString('utf8')) as { type?: unknown } | null)?.type === 'connection_init';
  } catch {
    return false;
  }
}
