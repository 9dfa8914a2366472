import type { AccessRule } from '../access/access-rule.js';
import type { Caller } from '../access/caller.js';
import type { CallClaim } from '../admission/call-claim.js';
import type { RequestIds } from '../access/client.js';
import type { PlatformError } from '../errors.js';

/** Who opened a socket, and what for. */
export interface SocketRequest extends RequestIds {
  readonly caller: Caller;
  readonly query: URLSearchParams;
  /** Aborted when the socket ends, whoever ends it. */
  readonly signal: AbortSignal;
  /** What the request has passed. */
  readonly admission: {
    readonly callClaim: CallClaim | undefined;
    refundRateLimit(): Promise<void>;
  };
}

/** An open socket, as far as a domain uses it. */
export interface DomainSocket {
  /** Sends a text; resolves when it has left the process. Nothing is sent once the socket has ended. */
  send(text: string): Promise<void>;
  /** Says goodbye: what was sent goes out, then the socket closes with a code of WebSocket. */
  close(code: number, reason: string): void;
}

/** What a domain does with one socket. Messages come one after another: the next when the promise has settled. */
export interface SocketHandler {
  /** @throws PlatformError, which ends the socket */
  text(text: string): Promise<void> | void;
  /** @throws as `text` does */
  binary(bytes: Buffer): Promise<void> | void;
  /** Called once, before the server ends the socket; what it answers is sent as the last text. */
  ending(reason: PlatformError): string | undefined;
}

/** A path that domains answer by a web socket: the transport asks for the credential, the limits and the end. */
export interface SocketEndpoint {
  /** Such as `/v1/realtime`. */
  readonly path: string;
  /** The name of the operation in logs, metrics and the audit log. */
  readonly name: string;
  readonly rule: AccessRule;
  /** Subprotocols that it speaks, the best first; clients need not name one. */
  readonly protocols: readonly string[];
  /** A subprotocol that begins so carries the token behind it; it is never answered. */
  readonly tokenProtocol?: string;
  readonly maxMessageBytes: number;
  /**
   * Looks at a request before it is answered.
   * @returns what makes the handler of the socket, once it is open
   * @throws PlatformError, which is answered in place of the socket
   */
  prepare(request: SocketRequest): Promise<(socket: DomainSocket) => SocketHandler>;
}
