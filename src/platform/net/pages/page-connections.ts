import { Agent } from 'undici';
import { ByteBudget } from '../../async/byte-budget.js';
import type { EgressRule } from '../egress-rule.js';
import { HttpExchange } from '../exchange.js';
import type { OriginResponse } from '../exchange.js';
import { guardedLookup } from '../guarded-lookup.js';
import { PageRefused } from './page-refused.js';

const CONNECT_MS = 10_000;
/** The head of an answer, in bytes. */
const HEAD_BYTES = 16 * 1024;
/** Later than any deadline of a fetch, which ends the exchange by its signal. */
const HEAD_MS = 600_000;
/** One is in use at a time; another may still be on its way. */
const CONNECTIONS_PER_ORIGIN = 4;
/** How long a connection is kept for the next request, in milliseconds, whatever the host says. */
const KEPT_MS = 4_000;
/** No answer is read as a whole. */
const NO_BUDGET = new ByteBudget(0);

/** Connections over HTTP/1.1 to hosts that anybody may have named. Knows no proxies, follows no redirects. */
export class PageConnections {
  private readonly agent: Agent;
  private readonly headers: Readonly<Record<string, string>>;

  /**
   * @param userAgent sent with every request
   * @param rule where connections may go; names are looked up anew for each connection
   * @param nameServers such as `127.0.0.1:53`; default: the system's
   */
  constructor(
    userAgent: string,
    private readonly rule: EgressRule,
    nameServers?: readonly string[],
  ) {
    this.headers = {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8',
      'accept-encoding': 'gzip, deflate',
    };
    this.agent = new Agent({
      allowH2: false,
      connections: CONNECTIONS_PER_ORIGIN,
      maxHeaderSize: HEAD_BYTES,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      // Each would begin anew with every byte: the signal ends what takes too long.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_MS, lookup: guardedLookup(rule.allowsAddress, nameServers) },
    });
  }

  /** @throws PageRefused blocked_address where a URL names an address or a port that is not allowed */
  check(url: URL): void {
    const cause = this.rule.refusalOf(url);
    if (cause) throw new PageRefused('blocked_address', undefined, { cause });
  }

  /**
   * Asks for what a URL leads to, and waits for the head of the answer.
   * @throws PageRefused; an error whose `cause` tells what it was; the reason of the signal
   */
  async get(url: URL, signal: AbortSignal): Promise<OriginResponse> {
    signal.throwIfAborted();
    this.check(url);
    const path = url.pathname + url.search;
    const exchange = new HttpExchange({ method: 'GET', path, signal }, HEAD_MS, NO_BUDGET);
    this.agent.dispatch({ origin: url.origin, method: 'GET', path, headers: this.headers }, exchange);
    return exchange.response;
  }

  /** Ends all exchanges and connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
