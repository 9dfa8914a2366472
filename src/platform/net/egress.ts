import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import type { EgressRule } from './egress-rule.js';
import { ByteBudget } from '../async/byte-budget.js';
import { guardedLookup } from './guarded-lookup.js';
import { HttpExchange, upstreamError } from './exchange.js';
import type { OriginRequest, OriginResponse } from './exchange.js';

export type { ByteSource, Ending, OriginRequest, OriginResponse } from './exchange.js';

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

/** Kept-alive HTTP/1.1 connections to one server. Knows no proxies, follows no redirects. */
export class Origin {
  private readonly openPool: () => Pool;
  private readonly pool: Pool;
  private state: 'open' | 'retired' | 'closed' = 'open';
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
    this.refusal = options.rule?.refusalOf(url);
    this.basePath = url.pathname.replace(/\/+$/, '');
    this.headers = { 'content-type': 'application/json', ...options.headers };
    this.flatHeaders = Object.entries(this.headers).flat();
    this.headMilliseconds = options.timeoutSeconds * 1000;
    this.budget = new ByteBudget(options.bufferedBytes ?? BUFFERED_BYTES);
    const poolOptions: Pool.Options = {
      connections: options.maxConnections,
      allowH2: false,
      bodyTimeout: IDLE_MS,
      connect: {
        timeout: Math.min(CONNECT_MS, this.headMilliseconds),
        ...(options.caFile !== undefined && { ca: readFileSync(options.caFile, 'utf8') }),
        ...(options.rule && { lookup: guardedLookup(options.rule.allowsAddress) }),
      },
    };
    this.openPool = () => new Pool(url.origin, poolOptions);
    this.pool = this.openPool();
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
    const exchange = new HttpExchange(request, this.headMilliseconds, this.budget);
    const pool = this.state === 'retired' ? this.openPool() : this.pool;
    pool.dispatch(
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
    if (pool !== this.pool) pool.close(() => undefined);
    return exchange.response;
  }

  /**
   * Ends every connection when the exchanges are over. Whoever was about to send a request still can, over a connection
   * of its own: a call may have waited for its turn.
   */
  retire(): Promise<void> {
    this.state = 'retired';
    return this.pool.close();
  }

  /** Takes no new requests, and ends every exchange and every connection. */
  close(): Promise<void> {
    this.state = 'closed';
    return this.pool.destroy();
  }

  private headersWith(own: NonNullable<OriginRequest['headers']>): string[] {
    return Object.entries({ ...this.headers, ...own }).flatMap(([name, value]) =>
      value === undefined ? [] : [name, value],
    );
  }
}
