import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { requestIdOf } from './access/client.js';
import type { Config } from './config.js';
import type { RequestContext, Responders } from './context.js';
import { everyPart, permitsOf } from './domain-module.js';
import type { Contributions } from './domain-module.js';
import { domains, schema } from './domains.js';
import type { DomainPorts } from './domains.js';
import type { Graph } from './graph/graph.js';
import type { Domain } from './graph/domain.js';
import { DomainResponders } from './graph/responders.js';
import { OperationChecker } from './graph/operations.js';
import { PersistedQueries } from './graph/persisted-queries.js';
import { GuardedExecution } from './graph/guarded-execution.js';
import { createExpressApp } from './http/express-app.js';
import { ReadPlaces } from './graph/read-places.js';
import { createGraphqlHttp } from './http/graphql-http.js';
import { GraphqlRoute } from './http/graphql-route.js';
import { createGraphqlSse } from './http/graphql-sse.js';
import { GraphqlWs } from './http/graphql-ws.js';
import { HttpServer } from './http/http-server.js';
import { GRAPHQL_PATH, routeSockets } from './http/socket-requests.js';
import type { SocketUpgrade } from './http/socket-requests.js';
import { SocketEndpoints } from './http/socket-endpoints.js';
import { OpenRequests } from './http/open-requests.js';
import { ContextFactory } from './http/request-context.js';
import { TransportSecurity } from './http/request-head.js';
import { UnattendedCalls } from './http/unattended-calls.js';
import { repeat } from './platform/async/periodic.js';
import type { PeriodicTask } from './platform/async/periodic.js';
import type { Blobs } from './platform/blobs/blobs.js';
import { RateCounter } from './platform/cluster/rate-counter.js';
import { ConfigError } from './platform/config/config.js';
import type { Database } from './platform/database/database.js';
import type { StartEmbeddedServer } from './platform/database/embedded-database.js';
import { openPlatform, platformContributions } from './platform/platform.js';
import type { Platform } from './platform/platform.js';
import type { Mailer } from './platform/mail/mailer.js';
import type { Endpoint } from './rest/endpoint.js';
import type { OpenapiDocument } from './rest/openapi/openapi.js';
import { HeldBodies } from './rest/held-bodies.js';
import { RestEngine } from './rest/engine.js';
import { FileSender } from './rest/file-sender.js';
import { Router } from './rest/router.js';
import { apiOf } from './served-api.js';

/** Of persisted queries in the memory of this process, where there is no Redis. */
const PERSISTED_QUERY_BYTES = 8 * 1024 * 1024;
/** What a user may have kept; an application has some hundred, and they are kept for a day. */
const PERSISTED_QUERIES_PER_MINUTE = 120;

/** How much of the shutdown time is kept for ending streams, settling and flushing. */
const SETTLE_MS = 3_000;

/** The wired server. */
export interface App {
  readonly domains: readonly Domain[];
  readonly ports: DomainPorts;
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  /** Web pages of the served domains, and where they answer by a web socket. */
  readonly otherPaths: readonly { readonly domain: string; readonly path: string }[];
  readonly database: Database;
  readonly mailer: Mailer;
  readonly blobs: Blobs;
  /** What it does again and again by itself. */
  readonly tasks: readonly PeriodicTask[];
  /** The OpenAPI description of the served endpoints. */
  readonly openapi: () => OpenapiDocument;
  /** Starts to listen; answers the address. */
  listen(): Promise<string>;
  /** Takes no new work, lets open work end, settles it and closes everything. */
  close(): Promise<void>;
}

/**
 * Wires the server: the platform, then every domain in order, then the graph and the transports.
 * @param startEmbedded what runs the embedded database: a thread of this process by default
 * @throws ConfigError, or an Error that says what cannot be served
 */
export async function createApp(config: Config, log: Logger, startEmbedded?: StartEmbeddedServer): Promise<App> {
  await using parts = new AsyncDisposableStack();
  const platform = await openPlatform(config, log, schema, parts, startEmbedded);
  const { created, ports, contributions, byName } = await createDomains(config, platform, parts);
  await startJobs(platform, contributions, parts);
  const served = servedDomains(config, created);
  const names = served.map((domain) => domain.name);
  const { graph, endpoints, openapi } = await apiOf(served, created, config.nodeEnv === 'production');
  const open = new OpenRequests(config.maxStreams);
  const unattended = new UnattendedCalls({
    places: config.maxUnattendedCalls,
    open,
    authenticator: ports.authenticator,
  });
  const bodies = new HeldBodies(config.heldJsonBytes, config.maxJsonBytes);
  const gauges = [
    open.gauge,
    unattended.gauge,
    bodies.gauge,
    ...contributions.flatMap((contribution) => contribution.gauges ?? []),
  ];
  for (const gauge of gauges) platform.metrics.addGauge(gauge);
  const servedParts = names.flatMap((name) => byName.get(name) ?? []);
  const http = await wireTransports(
    {
      config,
      platform,
      ports,
      contributions,
      graph,
      endpoints,
      openapi,
      open,
      unattended,
      bodies,
      servedParts,
      responders: new DomainResponders(created),
    },
    parts,
  );
  const wired = parts.move();
  return {
    domains: created,
    ports,
    graph,
    endpoints,
    otherPaths: names.flatMap((domain) => otherPathsOf(byName.get(domain)).map((path) => ({ domain, path }))),
    openapi,
    database: platform.database,
    mailer: platform.mailer,
    blobs: platform.blobs,
    tasks: [...contributions.flatMap((contribution) => contribution.tasks ?? []), ...platform.jobs.tasks],
    listen: () => http.listen(),
    async close() {
      await open.drain(Math.max(0, config.shutdownSeconds * 1_000 - SETTLE_MS), SETTLE_MS / 3);
      await wired.disposeAsync();
    },
  };
}

function otherPathsOf({ socketEndpoints = [], pages = new Map() }: Partial<Contributions> = {}): string[] {
  return [...socketEndpoints.map(({ path }) => path), ...pages.keys()];
}

interface CreatedDomains {
  readonly created: readonly Domain[];
  readonly ports: DomainPorts;
  readonly contributions: readonly Contributions[];
  /** By the name of the domain. */
  readonly byName: ReadonlyMap<string, Contributions>;
}

/** Each domain is closed after those that were created later, and after its own tasks have ended. */
async function createDomains(config: Config, platform: Platform, parts: AsyncDisposableStack): Promise<CreatedDomains> {
  const created: Domain[] = [];
  const ports = {};
  const byName = new Map<string, Contributions>();
  const ofPlatform = platformContributions(platform);
  parts.defer(startTasks(ofPlatform.tasks, platform.log));
  const contributions: Contributions[] = [ofPlatform];
  const host = { ...platform, config, contributions: () => contributions };
  for (const { name, create } of domains.modules) {
    // What each needs has been checked where it was added to the list.
    const domain = await create(host as never, ports as never);
    parts.defer(() => domain.close?.());
    parts.defer(startTasks(domain.tasks ?? [], platform.log));
    created.push({ name, resolvers: domain.resolvers, references: domain.references });
    contributions.push(domain);
    byName.set(name, domain);
    Object.assign(ports, domain.ports);
  }
  return { created, ports: ports as DomainPorts, contributions, byName };
}

/** Jobs are done when every domain is there, and end before the first of them is closed. */
async function startJobs(
  { jobs, log }: Platform,
  contributions: readonly Contributions[],
  parts: AsyncDisposableStack,
): Promise<void> {
  const handlers = new Map(contributions.flatMap(({ jobHandlers = {} }) => Object.entries(jobHandlers)));
  parts.defer(() => jobs.stop());
  await jobs.start({
    handlers,
    permits: permitsOf(() => contributions),
    isKnown: (userId) => everyPart(contributions, (part) => part.knowsUser?.(userId)),
  });
  parts.defer(startTasks(jobs.tasks, log));
}

function fileSenderOf({ blobLinks: links, log }: Platform, contributions: readonly Contributions[]): FileSender {
  const readers = new Map(contributions.flatMap(({ blobReaders = {} }) => Object.entries(blobReaders)));
  return new FileSender({ links, readers, permits: permitsOf(() => contributions), log });
}

/** @returns what stops them, and resolves when those that run are over */
function startTasks(tasks: readonly PeriodicTask[], log: Logger): () => Promise<void> {
  const running = tasks.map((task) => repeat(task.name, task.intervalMs, log, () => task.run()));
  return async () => void (await Promise.all(running.map((task) => task.stop())));
}

interface Wiring {
  readonly config: Config;
  readonly platform: Platform;
  readonly ports: DomainPorts;
  readonly contributions: readonly Contributions[];
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  readonly openapi: () => OpenapiDocument;
  readonly open: OpenRequests;
  readonly unattended: UnattendedCalls;
  readonly bodies: HeldBodies;
  /** Of the served domains. */
  readonly servedParts: readonly Contributions[];
  readonly responders: Responders;
}

async function wireTransports(wiring: Wiring, parts: AsyncDisposableStack): Promise<HttpServer> {
  const { config, platform, ports, contributions, graph, endpoints, open, unattended, bodies } = wiring;
  const { log, metrics } = platform;
  const { maxJsonBytes, allowedOrigins } = config;
  const production = config.nodeEnv === 'production';
  const { authenticator, idempotency, limits } = ports;
  const security = new TransportSecurity(config);
  const logOf = (context: RequestContext) => log.child({ request_id: requestIdOf(context) });
  const reads = new ReadPlaces(graph);
  const guarded = new GuardedExecution({ graph, reads, logOf });
  const admission = { limiter: limits, idempotency, streams: open, unattended, log, audit: platform.audit };
  const checker = new OperationChecker(graph.schema, production);
  const files = fileSenderOf(platform, contributions);
  const app = createExpressApp({
    log,
    metrics,
    engine: new RestEngine({ graph, router: new Router(endpoints), maxJsonBytes, bodies, reads, files, logOf }),
    files,
    pages: wiring.servedParts.flatMap(({ pages }) => [...(pages ?? [])]),
    contexts: new ContextFactory(authenticator, security, open, admission, wiring.responders),
    security,
    open,
    health: ports.health,
    jwks: () => ports.jwks(),
    openapi: wiring.openapi,
    production,
    graphql: new GraphqlRoute({
      checker,
      persisted: persistedQueries(platform),
      http: await createGraphqlHttp({ graph, checker, log, logOf }),
      sse: createGraphqlSse(graph, guarded),
      maxJsonBytes,
      bodies,
      reads,
      logOf,
    }),
    allowedOrigins,
    maxJsonBytes,
  });
  const isAllowed = (request: IncomingMessage) => isAllowedOrigin(config, request);
  const socketParts = { authenticator, security, open, metrics, admission, isAllowedOrigin: isAllowed };
  const socketEndpoints = wiring.servedParts.flatMap((domain) => domain.socketEndpoints ?? []);
  const sockets = new SocketEndpoints({ ...socketParts, endpoints: socketEndpoints });
  const http = new HttpServer(config, app, { socketPaths: sockets.paths });
  parts.defer(() => http.close());
  const graphqlWs = new GraphqlWs({ ...socketParts, responders: wiring.responders, graph, guarded, checker });
  const upgrades: [string, SocketUpgrade][] = sockets.paths.map((path) => [path, sockets.upgrade]);
  routeSockets(http.server, new Map([...upgrades, [GRAPHQL_PATH, graphqlWs.upgrade]]));
  parts.defer(() => Promise.all([graphqlWs.close(), sockets.close()]).then(() => undefined));
  return http;
}

function persistedQueries({ openStore, sharing }: Platform): PersistedQueries {
  const limit = new RateCounter('persisted-queries', PERSISTED_QUERIES_PER_MINUTE, sharing);
  return new PersistedQueries(openStore(PERSISTED_QUERY_BYTES), limit);
}

function servedDomains(config: Config, all: readonly Domain[]): readonly Domain[] {
  if (!config.domains) return all;
  const names = new Set(all.map((domain) => domain.name));
  const unknown = config.domains.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new ConfigError([`DOMAINS: there is no ${unknown.join(', ')}; there are ${[...names].join(', ')}`]);
  }
  return all.filter((domain) => config.domains?.includes(domain.name));
}

/** Browsers send the page's origin: our own or an allowed one. Other clients send none. */
function isAllowedOrigin(config: Config, request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || config.allowedOrigins.includes(origin)) return true;
  if (config.publicUrl !== undefined) return origin === new URL(config.publicUrl).origin;
  return URL.canParse(origin) && new URL(origin).host === host;
}
