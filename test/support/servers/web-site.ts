import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PageFetcher } from '../../../src/platform/net/pages/page-fetcher.js';
import type { PageFetcherOptions } from '../../../src/platform/net/pages/page-fetcher.js';

/** What a site answers at a path: this, or whatever the function writes. */
export type Route = Answer | ((request: IncomingMessage, response: ServerResponse) => void);

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const HTML = { 'content-type': 'text/html' };

/** A web site on this machine. What it does not know is a 404, so it has no robots.txt unless it is given one. */
export class WebSite {
  /** The requests, in their order. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** The most of them at once. */
  mostAtOnce = 0;
  private open = 0;
  private readonly server = createServer((request, response) => this.answer(request, response));

  private constructor(private readonly routes: Readonly<Record<string, Route>>) {}

  /** Starts one on a free port. */
  static async start(routes: Readonly<Record<string, Route>>, host = '127.0.0.1'): Promise<WebSite> {
    const site = new WebSite(routes);
    site.server.listen(0, host);
    await once(site.server, 'listening');
    return site;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The paths that were asked for, without robots.txt. */
  get pages(): string[] {
    return this.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push({ path, headers: request.headers });
    this.open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.open);
    response.on('close', () => (this.open -= 1));
    response.on('error', () => undefined);
    const route = this.routes[path] ?? { status: 404 };
    if (typeof route === 'function') route(request, response);
    else response.writeHead(route.status ?? 200, { ...HTML, ...route.headers }).end(route.body ?? '');
  }
}

/** A route that leads elsewhere. */
export function redirectTo(location: string, status = 302): Route {
  return { status, headers: { location } };
}

/** A fetcher that may connect to 127.0.0.1, and to public addresses, at any port. */
export function openFetcher(options: Partial<PageFetcherOptions> = {}): PageFetcher & AsyncDisposable {
  const fetcher = new PageFetcher({
    name: 'TestBot',
    version: '1.0',
    egressAllow: ['127.0.0.1/32'],
    egressPorts: [[1, 65_535]],
    ...options,
  });
  return Object.assign(fetcher, { [Symbol.asyncDispose]: () => fetcher.close() });
}

/** The reason for which a page was refused, with the status of an HTTP error; or that it was not. */
export function outcomeOf(fetching: Promise<unknown>): Promise<unknown> {
  return fetching.then(
    () => 'fetched',
    ({ reason, status }: { reason?: string; status?: number }) => (status === undefined ? reason : [reason, status]),
  );
}
