import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { PageFetcher } from '../../../src/platform/net/pages/page-fetcher.js';
import type { AnyJson } from '../probes/any-json.js';
import { askNameServer, watchConnections } from '../probes/connection-attempts.js';
import type { ConnectionAttempt } from '../probes/connection-attempts.js';
import { NameServer } from './name-server.js';
import type { NameRecord } from './name-server.js';
import { articleOf, ResearchBed } from './research-bed.js';
import { searxngAnswer } from './scripted-search.js';
import type { Route } from './web-site.js';

/** A host that is a trap: what it answers for its page, and for its robots.txt, which it has not by default. */
export interface Trap {
  readonly page: Route;
  readonly robots?: Route;
}

/** What the honest page among the traps says. */
export const FACT = 'The Kessel bridge is 412 metres long.';

/** What traps are made with before there is a platform: two ports that nobody may connect to. */
export interface ForbiddenPorts {
  /** Of all addresses of this machine, of which 127.0.0.1 alone is allowed; the port is. */
  readonly everywhere: number;
  /** Of 127.0.0.1, where the port is not allowed. */
  readonly loopback: number;
}

/**
 * A platform before hosts that are traps, each with a name of its own, which all lead to this machine. It watches what the
 * process tries to connect to.
 */
export class TrapBed {
  private constructor(
    readonly bed: ResearchBed,
    private readonly names: NameServer,
    private readonly hooks: { readonly attempts: readonly ConnectionAttempt[]; undo(): void },
    private readonly forbidden: readonly ForbiddenServer[],
    readonly ports: ForbiddenPorts,
  ) {}

  /**
   * @param trapsFor the traps by name, in lower case: `/name` of the host `name.test`
   * @param names what else the name server says
   */
  static async start(
    trapsFor: (ports: ForbiddenPorts) => Readonly<Record<string, Trap>>,
    names: Readonly<Record<string, NameRecord>> = {},
  ): Promise<TrapBed> {
    const [everywhere, loopback] = [await ForbiddenServer.start('::'), await ForbiddenServer.start('127.0.0.1')];
    const ports = { everywhere: everywhere.port, loopback: loopback.port };
    const traps = { ...trapsFor(ports), honest: { page: HONEST } };
    const here = Object.fromEntries(Object.keys(traps).map((name) => [`${name}.test`, [['127.0.0.1']]]));
    const server = await NameServer.start({ ...here, ...names });
    const [watched, asked] = [watchConnections(), askNameServer(server.address)];
    const undo = (): void => [watched, asked].forEach((hook) => hook[Symbol.dispose]());
    const allowed = { EGRESS_PORTS: `1-${loopback.port - 1},${loopback.port + 1}-65535` };
    const bed = await ResearchBed.start(routesOf(traps), allowed);
    return new TrapBed(bed, server, { attempts: watched.attempts, undo }, [everywhere, loopback], ports);
  }

  url(name: string): string {
    return `http://${name}.test:${this.bed.site.port}/${name}`;
  }

  /** A session whose search finds these traps, nine at most, and behind them the honest page. */
  research(names: readonly string[], more: object = {}): Promise<AnyJson> {
    const found = [...names, 'honest'].map((name) => ({ url: this.url(name) }));
    this.bed.searxng.byDefault = () => searxngAnswer(found);
    return this.bed.research({ question: 'How long is the Kessel bridge?', depth: 1, ...more });
  }

  /** Whether a trap was asked for the last thing that it answers: its page, or the robots.txt that it never sends. */
  isAsked(name: string): boolean {
    const { port, requests } = this.bed.site;
    const asked = requests.filter(({ headers }) => headers.host === `${name}.test:${port}`).map(({ path }) => path);
    return asked.includes(`/${name}`) || (name === 'hanging' && asked.includes('/robots.txt'));
  }

  /** The names that were looked up. */
  get lookups(): readonly string[] {
    return this.names.questions;
  }

  /** Connections that should not have been, and addresses but 127.0.0.1 that were tried. */
  get trespasses(): readonly unknown[] {
    const elsewhere = this.hooks.attempts.filter(({ address }) => address !== '127.0.0.1');
    return [...elsewhere, ...this.forbidden.flatMap(({ connections }) => connections)];
  }

  /** Closes all but the watch: what is still tried is seen by who asks for `trespasses` then. */
  async close(): Promise<void> {
    await this.bed.close();
    this.names.close();
    this.hooks.undo();
    await Promise.all(this.forbidden.map((server) => server.close()));
  }
}

/** The status and the reason of each source of a session but the honest one, by the name of its trap. */
export function outcomesOf({ sources }: AnyJson): Record<string, unknown> {
  const told = sources as { url: string; status: string; reason: string | null }[];
  const entries = told.map(({ url, status, reason }) => [
    new URL(url).hostname.replace(/\.test$/, ''),
    [status, reason],
  ]);
  return Object.fromEntries(entries.filter(([name]) => name !== 'honest')) as Record<string, unknown>;
}

/** Has the pages of some traps fetched within so many seconds, until it is disposed of. */
export function shortenDeadline(seconds: number, names: readonly string[]): Disposable {
  const { fetch } = PageFetcher.prototype;
  PageFetcher.prototype.fetch = function (this: PageFetcher, url, options) {
    const isShort = names.includes(new URL(url).hostname.replace(/\.test$/, ''));
    return Reflect.apply(fetch, this, [url, isShort ? { ...options, seconds } : options]);
  };
  return { [Symbol.dispose]: () => void (PageFetcher.prototype.fetch = fetch) };
}

const HONEST = articleOf('Kessel', FACT, 'It crosses the river Orla between Kessel and Marn.');

/** Counts who connects. */
class ForbiddenServer {
  readonly connections: string[] = [];
  private readonly server: Server = createServer((socket: Socket) => {
    this.connections.push(`${socket.localAddress}:${socket.localPort}`);
    socket.destroy();
  });

  static async start(host: string): Promise<ForbiddenServer> {
    const forbidden = new ForbiddenServer();
    forbidden.server.listen(0, host);
    await once(forbidden.server, 'listening');
    return forbidden;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Pages by their paths; a robots.txt by the host that is asked. */
function routesOf(traps: Readonly<Record<string, Trap>>): Record<string, Route> {
  const pages = Object.entries(traps).map(([name, { page }]) => [`/${name}`, page] as const);
  return {
    ...Object.fromEntries(pages),
    '/robots.txt': (request, response) => {
      const name = (request.headers.host ?? '').split('.')[0] ?? '';
      const route = traps[name]?.robots ?? { status: 404 };
      if (typeof route === 'function') route(request, response);
      else response.writeHead(route.status ?? 200, route.headers).end(route.body ?? '');
    },
  };
}
