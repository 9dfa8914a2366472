import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { BadUpstream, UpstreamTimeout } from '../errors.js';
import { guardedLookup, refusedAddress } from './address-rule.js';
import type { AddressRule } from './address-rule.js';

/** Unread bytes of one answer at which the sender is told to wait. */
const HIGH_WATER_BYTES = 64 * 1024;
/** The most bytes of an answer that is read as a whole. */
const WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;
const CONNECT_MILLISECONDS = 10_000;
/** Silence within an answer. */
const IDLE_MILLISECONDS = 300_000;
/** How long an answer may go on after its reader has seen what it wanted. */
const TRAILING_MILLISECONDS = 1_000;
const READY = Promise.resolve();

/** A server, and how to talk to it. */
export interface OriginOptions {
  /** Requests go to this URL with their path appended. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  /** The time to the first byte of an answer. */
  readonly timeoutSeconds: number;
  /** PEM file of the authorities to trust instead of the system's. */
  readonly caFile?: string;
  /** Where connections may go; undefined: anywhere, since the operator has given the address. */
  readonly isAllowed?: AddressRule;
}

/** How an exchange was over: with its end, by the other side's failure, or because it was given up here. */
export type Ending = 'whole' | 'broken' | 'stopped';

/** One request to an origin. */
export interface OriginRequest {
  readonly method: 'GET' | 'POST';
  /** Appended to the base URL; from `/` where `absolute`. */
  readonly path: string;
  /** The path counts from the root of the host instead of the base URL. */
  readonly absolute?: boolean;
  /** A JSON text. */
  readonly body?: string;
  /** In place of the origin's own of the same names, which are in lower case; undefined: not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the exchange at once, in whatever phase; its reason is what the caller sees. */
  readonly signal: AbortSignal;
  /** Called once when the exchange is over. @param status undefined where there was no answer */
  readonly ended?: (ending: Ending, status: number | undefined) => void;
}

/** The head of an answer, and its body to be read. */
export interface OriginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UpstreamBody;
}

/** Bytes that arrive. Reading slowly slows the sender down. */
export interface ByteSource {
  /**
   * All bytes that have arrived since the last call; undefined at a clean end. One call at a time.
   * @throws BadUpstream where the connection broke, UpstreamTimeout after 300 s of silence, or the reason of an abort
   */
  next(): Promise<Buffer | undefined>;
  /** Closes the connection at once. */
  cancel(): void;
  /** Drops what still comes; closes the connection where the end is not near. */
  release(): void;
}

/** The body of an answer. */
export interface UpstreamBody extends ByteSource {
  /**
   * The whole body.
   * @throws BadUpstream over 64 MiB, and as `next` does
   */
  readAll(): Promise<Buffer>;
}

/** Kept-alive HTTP/1.1 connections to one server. Knows no proxies, follows no redirects. */
export class Origin {
  private readonly pool: Pool;
  private readonly basePath: string;
  private readonly headers: Readonly<Record<string, string>>;
  /** Built once: the flat form costs undici the least. */
  private readonly flatHeaders: string[];
  private readonly headersTimeout: number;
  /** The host is an address that is not allowed: no name is looked up that could be refused. */
  private readonly refused: boolean;

  /** @throws Error where `caFile` cannot be read */
  constructor(options: OriginOptions) {
    const { origin, pathname, hostname } = new URL(options.baseUrl);
    const { isAllowed } = options;
    const address = hostname.replace(/^\[|\]$/g, '');
    this.refused = isAllowed !== undefined && isIP(address) !== 0 && !isAllowed(address);
    this.basePath = pathname.replace(/\/+$/, '');
    this.headers = { 'content-type': 'application/json', ...options.headers };
    this.flatHeaders = Object.entries(this.headers).flat();
    this.headersTimeout = options.timeoutSeconds * 1000;
    this.pool = new Pool(origin, {
      connections: options.maxConnections,
      allowH2: false,
      bodyTimeout: IDLE_MILLISECONDS,
      connect: {
        timeout: Math.min(CONNECT_MILLISECONDS, this.headersTimeout),
        ...(options.caFile !== undefined && { ca: readFileSync(options.caFile, 'utf8') }),
        ...(isAllowed && { lookup: guardedLookup(isAllowed) }),
      },
    });
  }

  /**
   * Sends a request and waits for the head of the answer.
   * @throws BadUpstream, UpstreamTimeout, or the reason of the signal
   */
  request(request: OriginRequest): Promise<OriginResponse> {
    if (request.signal.aborted || this.refused) {
      request.ended?.(request.signal.aborted ? 'stopped' : 'broken', undefined);
      return Promise.reject(request.signal.aborted ? request.signal.reason : upstreamError(refusedAddress()));
    }
    const exchange = new Exchange(request);
    this.pool.dispatch(
      {
        method: request.method,
        path: request.absolute ? request.path : this.basePath + request.path,
        headers: request.headers ? this.headersWith(request.headers) : this.flatHeaders,
        body: request.body,
        headersTimeout: this.headersTimeout,
      },
      exchange,
    );
    return exchange.response;
  }

  /** Takes no new requests, and ends every connection when the exchanges are over. */
  retire(): Promise<void> {
    return this.pool.close();
  }

  /** Ends every exchange and every connection. */
  close(): Promise<void> {
    return this.pool.destroy();
  }

  private headersWith(own: NonNullable<OriginRequest['headers']>): string[] {
    return Object.entries({ ...this.headers, ...own }).flatMap(([name, value]) =>
      value === undefined ? [] : [name, value],
    );
  }
}

/** One request and its answer: undici's handler on one side, a body to be pulled on the other. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamBody {
  readonly response: Promise<OriginResponse>;
  private readonly head = Promise.withResolvers<OriginResponse>();
  private controller: Dispatcher.DispatchController | undefined;
  private chunks: Buffer[] = [];
  private unreadBytes = 0;
  private over = false;
  private status: number | undefined;
  private dropping = false;
  private failure: unknown;
  private wake: (() => void) | undefined;

  constructor(private readonly request: OriginRequest) {
    this.response = this.head.promise;
    request.signal.addEventListener('abort', this.abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(asError(this.failure));
  }

  onResponseStart(_controller: unknown, status: number, headers: OriginResponse['headers']): void {
    // 1xx are announcements of the answer.
    if (status < 200) return;
    this.status = status;
    this.head.resolve({ status, headers, body: this });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.dropping) return;
    this.chunks.push(chunk);
    this.unreadBytes += chunk.length;
    if (this.unreadBytes > HIGH_WATER_BYTES) controller.pause();
    this.wake?.();
  }

  onResponseEnd(): void {
    this.finish('whole');
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(upstreamError(error), 'broken');
  }

  next(): Promise<Buffer | undefined> {
    const isReady = this.unreadBytes > 0 || this.over;
    return (isReady ? READY : new Promise<void>((resolve) => (this.wake = resolve))).then(this.arrived);
  }

  async readAll(): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for (let part = await this.next(); part; part = await this.next()) {
      size += part.length;
      if (size > WHOLE_ANSWER_BYTES) {
        this.cancel();
        throw new BadUpstream('The answer of the model server is too large.');
      }
      parts.push(part);
    }
    return Buffer.concat(parts, size);
  }

  cancel(): void {
    this.stop(new BadUpstream('The answer of the model server was given up.'));
  }

  release(): void {
    if (this.over) return;
    this.dropping = true;
    this.take();
    const timer = setTimeout(() => this.cancel(), TRAILING_MILLISECONDS).unref();
    this.wake = () => clearTimeout(timer);
  }

  /** Called after everything that one read of the socket brings. */
  private readonly arrived = (): Buffer | undefined => {
    this.wake = undefined;
    if (this.unreadBytes > 0) return this.take();
    if (this.failure !== undefined) throw this.failure;
    return undefined;
  };

  private readonly abort = (): void => this.stop(this.request.signal.reason);

  private stop(reason: unknown): void {
    this.chunks = [];
    this.unreadBytes = 0;
    this.fail(reason, 'stopped');
  }

  private take(): Buffer {
    const bytes = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.unreadBytes);
    this.chunks = [];
    this.unreadBytes = 0;
    if (this.controller?.paused) this.controller.resume();
    return bytes;
  }

  private fail(reason: unknown, ending: Ending): void {
    if (this.over) return;
    this.failure = reason;
    this.head.reject(reason);
    this.finish(ending);
    this.controller?.abort(asError(reason));
  }

  private finish(ending: Ending): void {
    if (this.over) return;
    this.over = true;
    this.request.signal.removeEventListener('abort', this.abort);
    this.request.ended?.(ending, this.status);
    this.wake?.();
  }
}

function upstreamError(cause: Error & { code?: string }): Error {
  const error = cause.code?.endsWith('_TIMEOUT')
    ? new UpstreamTimeout('The model server did not answer in time.')
    : new BadUpstream('The model server cannot be reached or broke off its answer.');
  return Object.assign(error, { cause });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
