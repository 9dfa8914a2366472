import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createAdmin } from './admin/domain.js';
import { ConfigError } from './config.js';
import type { Config } from './config.js';
import type { RequestContext } from './context.js';
import { buildGraph } from './graph/graph.js';
import type { Graph } from './graph/graph.js';
import type { Domain } from './graph/domain.js';
import { GuardedExecution } from './graph/guarded-execution.js';
import { createExpressApp } from './http/express-app.js';
import { createGraphqlHttp } from './http/graphql-http.js';
import { createGraphqlSse } from './http/graphql-sse.js';
import { GraphqlWs } from './http/graphql-ws.js';
import { HttpServer } from './http/http-server.js';
import { OpenRequests } from './http/open-requests.js';
import { ContextFactory } from './http/request-context.js';
import { TransportSecurity } from './http/transport-security.js';
import { createIdentity } from './identity/domain.js';
import { createInference } from './inference/domain.js';
import { createMetering } from './metering/domain.js';
import { openDatabase } from './platform/database.js';
import type { Database } from './platform/database.js';
import { embeddedSecretKey } from './platform/embedded-database.js';
import { RequestLimiter } from './platform/request-limiter.js';
import { SecretBox } from './platform/secret-box.js';
import type { Endpoint } from './rest/endpoint.js';
import { RestEngine } from './rest/engine.js';
import { readEndpoints } from './rest/read-documents.js';
import { Router } from './rest/router.js';

const REST_DOCUMENTS = fileURLToPath(new URL('../schema/rest', import.meta.url));
const PACKAGE = new URL('../package.json', import.meta.url);

/** How much of the shutdown time is kept for ending streams, settling and flushing. */
const SETTLE_MILLISECONDS = 3_000;

/** The wired server. */
export interface App {
  readonly domains: readonly Domain[];
  readonly graph: Graph;
  readonly endpoints: readonly Endpoint[];
  readonly database: Database;
  /** The first administrator, if this start made one; the password only where it was generated. */
  readonly bootstrapAdmin?: { readonly email: string; readonly password?: string };
  /** Starts to listen; answers the address. */
  listen(): Promise<string>;
  /** Takes no new work, lets open work end, settles it and closes everything. */
  close(): Promise<void>;
}

/**
 * Wires the server: every domain over one database, then the graph, then the doors to it.
 * @throws ConfigError, or an Error that says what cannot be served
 */
export async function createApp(config: Config, log: Logger): Promise<App> {
  const database = await openDatabase(config, log);
  const secretBox = new SecretBox(config.secretKey ?? (await embeddedSecretKey(config.dataDir)));
  const identity = await createIdentity({ config, log, database, secretBox });
  const metering = createMetering({ config, log, database });
  const inference = createInference({ config, log, metering: metering.calls });
  const version = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
  const admin = createAdmin({
    version,
    pingDatabase: () => database.dataSource.query('SELECT 1'),
    backends: () => inference.backends,
  });

  const domains: readonly Domain[] = [identity, metering, inference, admin];
  const served = servedDomains(config, domains);
  const limiter = new RequestLimiter(config.requestsPerMinute);
  const countCall = (context: RequestContext) => limiter.count(context);
  const graph = await buildGraph(served, domains, countCall);
  const endpoints = readEndpoints(REST_DOCUMENTS, served.map((domain) => domain.name), graph);

  const open = new OpenRequests(config.maxStreams);
  const security = new TransportSecurity(config);
  const openStream = () => open.openStream();
  const logOf = (context: RequestContext) => log.child({ request_id: context.requestId });
  const guarded = new GuardedExecution({ production: config.production, openStream, logOf });
  const app = createExpressApp({
    log,
    engine: new RestEngine({
      graph,
      router: new Router(endpoints),
      maxJsonBytes: config.maxJsonBytes,
      countCall,
      openStream,
      logOf,
    }),
    contexts: new ContextFactory(identity.authenticator, security, open),
    security,
    open,
    health: admin.health,
    jwks: () => identity.jwks(),
    graphqlHttp: await createGraphqlHttp({ graph, production: config.production, log, logOf }),
    graphqlSse: createGraphqlSse(graph, guarded),
    allowedOrigins: config.allowedOrigins,
    maxJsonBytes: config.maxJsonBytes,
  });
  const http = new HttpServer(config, app);
  const graphqlWs = new GraphqlWs({
    graph,
    guarded,
    authenticator: identity.authenticator,
    security,
    open,
    log,
    isAllowedOrigin: (request) => isAllowedOrigin(config, request),
  });
  graphqlWs.attach(http.server);

  return {
    domains,
    graph,
    endpoints,
    database,
    bootstrapAdmin: identity.bootstrapAdmin,
    listen: () => http.listen(),
    async close() {
      await open.drain(Math.max(0, config.shutdownSeconds * 1_000 - SETTLE_MILLISECONDS));
      await graphqlWs.close();
      await http.close();
      await inference.close();
      await metering.close();
      await identity.close();
      await database.close();
    },
  };
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
