import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { guardedLookup } from './address-rule.js';
import type { EgressRule } from './egress-rule.js';
import { ByteBudget } from '../async/byte-budget.js';
import { Exchange, upstreamError } from './exchange.js';

const CONNECT_MS = 10_000;
/** Of all whole answers of one server. */
const BUFFERED_BYTES = 1024 * 1024 * 1024;
/** Silence within an answer. */
const IDLE_MS = 300_000;

/** A server, and how to talk to it. */
export interface OriginOptions {
  /** Requests go to this URL with their path appended. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  /** The time to the head of an answer, from the moment in which it is asked for; announcements do not prolong it. */
  readonly timeoutSeconds: number;
  /** PEM file of the authorities to trust instead of the system's. */
  readonly caFile?: string;
  /** Where connections may go; undefined: anywhere, since the operator has given the address. */
  readonly rule?: EgressRule;
  /** The most bytes of all its answers together that are read as a whole at once; default: 1 GiB. */
  readonly bufferedBytes?: number;
}

/** What undici calls with what happens to a request. */
export type RequestHandler = Dispatcher.DispatchHandler;
/** By which undici is told to wait, or to stop. */
export type RequestController = Dispatcher.DispatchController;

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
  /** Called once when the exchange is over; must not throw. @param status undefined where there was no answer */
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
  /** Closes the connection at once. @param ending `broken` where the other side is at fault; default: `stopped` */
  cancel(ending?: Ending): void;
  /** Drops what still comes; closes the connection where the end is not near. */
  release(): void;
}

/** How much of an answer is read as a whole, and for how long. */
export interface ReadLimits {
  readonly bytes: number;
  /** From the head of the answer, or later, to its end. */
  readonly milliseconds: number;
}

/** The body of an answer. */
export interface UpstreamBody extends ByteSource {
  /**
   * The whole body.
   * @param limits default: 64 MiB, 300 s
   * @throws BadUpstream over the limit of bytes, UpstreamTimeout over that of time, and as `next` does
   */
  readAll(limits?: ReadLimits): Promise<Buffer>;
}

/** Kept-alive HTTP/1.1 connections to one server. Knows no proxies, follows no redirects. */
export class Origin {
  private readonly pool: Pool;
  private readonly basePath: string;
  private readonly headers: Readonly<Record<string, string>>;
  /** Built once: the flat form costs undici the least. */
  private readonly flatHeaders: string[];
  private readonly headMilliseconds: number;
  private readonly budget: ByteBudget;
  /** Why nothing may be sent there: a literal address or a port that is not allowed. */
  private readonly refusal: Error | undefined;

  /** @throws Error where `caFile` cannot be read */
  constructor(options: OriginOptions) {
    const url = new URL(options.baseUrl);
    const { origin, pathname } = url;
    const { rule } = options;
    this.refusal = rule?.refusalOf(url);
    this.basePath = pathname.replace(/\/+$/, '');
    this.headers = { 'content-type': 'application/json', ...options.headers };
    this.flatHeaders = Object.entries(this.headers).flat();
    this.headMilliseconds = options.timeoutSeconds * 1000;
    this.budget = new ByteBudget(options.bufferedBytes ?? BUFFERED_BYTES);
    this.pool = new Pool(origin, {
      connections: options.maxConnections,
      allowH2: false,
      bodyTimeout: IDLE_MS,
      connect: {
        timeout: Math.min(CONNECT_MS, this.headMilliseconds),
        ...(options.caFile !== undefined && { ca: readFileSync(options.caFile, 'utf8') }),
        ...(rule && { lookup: guardedLookup(rule.allowsAddress) }),
      },
    });
  }

  /**
   * Sends a request and waits for the head of the answer.
   * @throws BadUpstream, UpstreamTimeout, or the reason of the signal
   */
  request(request: OriginRequest): Promise<OriginResponse> {
    const { signal } = request;
    if (signal.aborted || this.refusal) {
      request.ended?.(signal.aborted ? 'stopped' : 'broken', undefined);
      return Promise.reject(signal.aborted ? signal.reason : upstreamError(this.refusal));
    }
    const exchange = new Exchange(request, this.headMilliseconds, this.budget);
    this.pool.dispatch(
      {
        method: request.method,
        path: request.absolute ? request.path : this.basePath + request.path,
        headers: request.headers ? this.headersWith(request.headers) : this.flatHeaders,
        body: request.body,
        // It would begin anew with each announcement of an answer: the exchange has its own.
        headersTimeout: 0,
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
