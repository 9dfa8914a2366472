import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createOperations } from './operations/domain.js';
import { OperationAdmission } from './admission/operation-admission.js';
import type { AdmissionRequest } from './admission/operation-admission.js';
import { ConfigError } from './config.js';
import type { Config } from './config.js';
import type { RequestContext } from './context.js';
import { buildGraph } from './graph/graph.js';
import type { Graph } from './graph/graph.js';
import type { Domain } from './graph/domain.js';
import { OperationChecker } from './graph/operations.js';
import { PersistedQueries } from './graph/persisted-queries.js';
import { GuardedExecution } from './graph/guarded-execution.js';
import { createExpressApp } from './http/express-app.js';
import { createGraphqlHttp } from './http/graphql-http.js';
import { GraphqlRoute } from './http/graphql-route.js';
import { createGraphqlSse } from './http/graphql-sse.js';
import { GraphqlWs } from './http/graphql-ws.js';
import { HttpServer } from './http/http-server.js';
import { OpenRequests } from './http/open-requests.js';
import { ContextFactory } from './http/request-context.js';
import { TransportSecurity } from './http/transport-security.js';
import { createIdentity } from './identity/domain.js';
import { createInference } from './inference/domain.js';
import { createMetering } from './metering/domain.js';
import { addGauges } from './gauges.js';
import { startObservability } from './platform/telemetry/observability.js';
import type { Observability } from './platform/telemetry/observability.js';
import { InstrumentedCallRecorder } from './inference/calls/instrumented-call-recorder.js';
import { openDatabase } from './platform/database/database.js';
import type { Database } from './platform/database/database.js';
import { embeddedSecretKey } from './platform/database/data-folder.js';
import { RateCounter } from './platform/cluster/rate-counter.js';
import { ProcessLease } from './platform/cluster/process-lease.js';
import { Redis } from './platform/redis/redis.js';
import { RedisTopics } from './platform/cluster/redis-topics.js';
import { MemorySealedStore, RedisSealedStore } from './platform/cluster/sealed-store.js';
import { SecretBox } from './platform/crypto/secret-box.js';
import { MemoryTopics } from './platform/cluster/topics.js';
import type { Endpoint } from './rest/endpoint.js';
import { describeApi } from './rest/openapi/openapi.js';
import type { OpenapiDocument } from './rest/openapi/openapi.js';
import { RestEngine } from './rest/engine.js';
import { readEndpoints } from './rest/read-documents.js';
import { Router } from './rest/router.js';

const REST_DOCUMENTS = fileURLToPath(new URL('../schema/rest', import.meta.url));
const PACKAGE = new URL('../package.json', import.meta.url);

/** Of persisted queries in the memory of this process, where there is no Redis. */
const PERSISTED_QUERY_BYTES = 8 * 1024 * 1024;
/** What a user may have kept; an application has some hundred, and they are kept for a day. */
const PERSISTED_QUERIES_PER_MINUTE = 120;

/** How much of the shutdown time is kept for ending streams, settling and flushing. */
const SETTLE_MS = 3_000;

/** The wired server. */
export interface App {
  readonly domains: readonly Domain[];
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
  /** The OpenAPI description of the served endpoints. */
  readonly openapi: () => OpenapiDocument;
  /** The first administrator, if this start made one; the password only where it was generated. */
  readonly bootstrapAdmin?: { readonly email: string; readonly password?: string };
  /** Starts to listen; answers the address. */
  listen(): Promise<string>;
  /** Takes no new work, lets open work end, settles it and closes everything. */
  close(): Promise<void>;
}

/**
 * Wires the server: every domain over one database, then the graph, then the transports.
 * @throws ConfigError, or an Error that says what cannot be served
 */
export async function createApp(config: Config, log: Logger): Promise<App> {
  await using parts = new AsyncDisposableStack();
  const observability = await startObservability(config);
  parts.defer(() => observability.tracing?.close());
  const domains = await wireDomains(config, log, observability, parts);
  const all: readonly Domain[] = [domains.identity, domains.metering, domains.inference, domains.operations];
  const served = servedDomains(config, all);
  const graph = await buildGraph(served, all, config.production);
  const names = served.map((domain) => domain.name);
  const endpoints = readEndpoints(REST_DOCUMENTS, names, graph);
  let description: OpenapiDocument | undefined;
  const openapi = () => (description ??= describeApi(REST_DOCUMENTS, endpoints, graph.schema));
  const open = new OpenRequests(config.maxStreams);
  addGauges(observability.metrics, { ...domains, open });
  const http = await wireTransports({ config, log, observability, domains, graph, endpoints, openapi, open }, parts);
  const wired = parts.move();
  return {
    domains: all,
    graph,
    endpoints,
    openapi,
    database: domains.database,
    bootstrapAdmin: domains.identity.bootstrapAdmin,
    listen: () => http.listen(),
    async close() {
      await open.drain(Math.max(0, config.shutdownSeconds * 1_000 - SETTLE_MS), SETTLE_MS / 3);
      await wired.disposeAsync();
    },
  };
}

/** Each part is closed after those that were wired later. */
async function wireDomains(config: Config, log: Logger, observability: Observability, parts: AsyncDisposableStack) {
  const database = await openDatabase(config, log);
  parts.defer(() => database.close());
  const secretBox = new SecretBox(config.secretKey ?? (await embeddedSecretKey(config.dataDir)));
  const identity = await createIdentity({ config, log, database, secretBox });
  parts.defer(() => identity.close());
  const { tenants } = identity;
  const redis = config.redisUrl === undefined ? undefined : new Redis(config.redisUrl, log);
  parts.defer(() => redis?.close());
  const lease = new ProcessLease(database, log, redis);
  parts.defer(() => lease.close());
  await lease.start();
  const topics = redis ? new RedisTopics(redis) : new MemoryTopics();
  const openStore = (bytes: number) => (redis ? new RedisSealedStore(redis) : new MemorySealedStore(bytes));
  const store = openStore(config.responseContextBytes);
  const sharing = { redis, processes: () => lease.alive };
  const persistedQueries = new PersistedQueries(
    openStore(PERSISTED_QUERY_BYTES),
    new RateCounter('persisted-queries', PERSISTED_QUERIES_PER_MINUTE, sharing),
  );
  const metering = await createMetering({ config, log, database, lease, secretBox, store, redis, topics, tenants });
  parts.defer(() => metering.close());
  const calls = new InstrumentedCallRecorder({ recorder: metering.calls, ...observability });
  const inference = await createInference({
    config,
    log,
    database,
    secretBox,
    topics,
    store,
    tenants,
    metering: calls,
  });
  parts.defer(() => inference.close());
  const operations = createOperations({
    version: (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version,
    pingDatabase: () => database.dataSource.query('SELECT 1'),
    cache: () => (redis ? (redis.answers ? 'ok' : 'down') : lease.alive > 1 ? 'degraded' : 'ok'),
    backends: () => inference.backends,
  });
  return { database, redis, persistedQueries, identity, metering, inference, operations };
}

interface Wiring {
  readonly config: Config;
  readonly log: Logger;
  readonly observability: Observability;
  readonly domains: Awaited<ReturnType<typeof wireDomains>>;
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  readonly openapi: () => OpenapiDocument;
  readonly open: OpenRequests;
}

async function wireTransports(wiring: Wiring, parts: AsyncDisposableStack): Promise<HttpServer> {
  const { config, log, domains, graph, endpoints, open } = wiring;
  const { metrics, requestTelemetry } = wiring.observability;
  const { production, maxJsonBytes, allowedOrigins } = config;
  const { authenticator } = domains.identity;
  const { idempotency } = domains.metering;
  const security = new TransportSecurity(config);
  const logOf = (context: RequestContext) => log.child({ request_id: context.requestId });
  const guarded = new GuardedExecution({ graph, logOf });
  const ports = { limiter: domains.metering.limits, idempotency, openStream: () => open.openStream(), log };
  const admit = (request: AdmissionRequest) => new OperationAdmission(ports, request);
  const checker = new OperationChecker(graph.schema, production);
  const app = createExpressApp({
    log,
    metrics,
    requestTelemetry,
    engine: new RestEngine({
      graph,
      router: new Router(endpoints),
      maxJsonBytes,
      logOf,
    }),
    contexts: new ContextFactory(authenticator, security, open, admit),
    security,
    open,
    health: domains.operations.health,
    jwks: () => domains.identity.jwks(),
    openapi: wiring.openapi,
    production,
    graphql: new GraphqlRoute({
      checker,
      persisted: domains.persistedQueries,
      http: await createGraphqlHttp({ graph, checker, log, logOf }),
      sse: createGraphqlSse(graph, guarded),
      maxJsonBytes,
      logOf,
    }),
    allowedOrigins,
    maxJsonBytes,
  });
  const http = new HttpServer(config, app);
  parts.defer(() => http.close());
  const isAllowed = (request: IncomingMessage) => isAllowedOrigin(config, request);
  const graphqlWs = new GraphqlWs({
    graph,
    guarded,
    checker,
    authenticator,
    security,
    open,
    metrics,
    admit,
    isAllowedOrigin: isAllowed,
  });
  graphqlWs.attach(http.server);
  parts.defer(() => graphqlWs.close());
  return http;
}

function servedDomains(config: Config, domains: readonly Domain[]): readonly Domain[] {
  if (!config.domains) return domains;
  const names = new Set(domains.map((domain) => domain.name));
  const unknown = config.domains.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new ConfigError([`DOMAINS: there is no ${unknown.join(', ')}; there are ${[...names].join(', ')}`]);
  }
  return domains.filter((domain) => config.domains?.includes(domain.name));
}

/** Browsers send the page's origin: our own or an allowed one. Other clients send none. */
function isAllowedOrigin(config: Config, request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || config.allowedOrigins.includes(origin)) return true;
  if (config.publicUrl !== undefined) return origin === new URL(config.publicUrl).origin;
  return URL.canParse(origin) && new URL(origin).host === host;
}
