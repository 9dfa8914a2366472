import cors from 'cors';
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { MethodNotAllowed, NotFound, PlatformError, Unavailable } from '../errors.js';
import { Reply } from '../admission/reply.js';
import { BLOB_PATH } from '../platform/blobs/blob-links.js';
import type { FileSender } from '../rest/file-sender.js';
import type { Transport, RequestContext } from '../context.js';
import { requireServiceKey } from '../access/access-rule.js';
import { requestIdOf } from '../access/client.js';
import { formatGraphqlError, toPlatformError } from '../graph/platform-error.js';
import type { Metrics } from '../platform/telemetry/metrics.js';
import type { RestEngine } from '../rest/engine.js';
import { droppableBytes } from '../rest/drop-body.js';
import { sendError, sendJson, sendJsonBody, sendRefusal } from '../rest/respond.js';
import { AccessRecord } from './access-log.js';
import { documentationRoutes } from './documentation.js';
import type { GraphqlRoute } from './graphql-route.js';
import { homeRoute } from './home-page.js';
import type { OpenRequests } from './open-requests.js';
import { findHeadFault } from './request-head.js';
import { requestIdsOf } from './request-context.js';
import type { ContextFactory } from './request-context.js';
import type { TransportSecurity } from './request-head.js';
import type { Answer } from './web-page.js';

/** The header of that name (W3C Trace Context, version 00). */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const HSTS = 'max-age=31536000';
/** What a page of another origin may read beside the few headers that every browser shows, since clients act on it. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'x-should-retry',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'idempotency-replayed',
  'x-omitted-fields',
  'location',
  'allow',
  'www-authenticate',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
];

/** How the server does, for `/health` and `/health/ready`. */
interface HealthSource {
  check(): Promise<{
    readonly status: 'ok' | 'degraded';
    readonly version: string;
    readonly uptimeSeconds: number;
    readonly checks: object;
  }>;
  /** Whether the database answers in time. */
  databaseAnswers(): Promise<boolean>;
}

/** What the HTTP routes stand on. */
export interface HttpParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly engine: RestEngine;
  readonly contexts: ContextFactory;
  readonly security: TransportSecurity;
  readonly open: OpenRequests;
  readonly health: HealthSource;
  /** The public signing keys: another object where they are others. */
  readonly jwks: () => object;
  /** The OpenAPI description, as `jwks`. */
  readonly openapi: () => object;
  readonly production: boolean;
  readonly graphql: GraphqlRoute;
  readonly files: FileSender;
  /** Web pages of the served domains, by path. */
  readonly pages: readonly (readonly [path: string, answer: Answer])[];
  readonly maxJsonBytes: number;
  readonly allowedOrigins: readonly string[];
}

/** The routes of the server: `/v1` goes to the REST engine, `/graphql` to GraphQL, the rest is health and discovery. */
export function createExpressApp(parts: HttpParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // One path a resource: proxies and logs tell others apart.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use((request, response, next) => prepare(parts, request, response, next));
  if (parts.allowedOrigins.length > 0) {
    app.use(cors({ origin: [...parts.allowedOrigins], exposedHeaders: EXPOSED_HEADERS, maxAge: 600 }));
  }
  // By no name: express would decode it, and what is not encoded rightly is for the address to refuse.
  app.all(
    new RegExp(`^${BLOB_PATH}[^/]+$`),
    (request, response, next) => void serveFile(parts, request, response, next),
  );
  app.use((request, response, next) =>
    request.url.startsWith('/v1/') ? void serveRest(parts, request, response, next) : next(),
  );
  app.all('/graphql', (request, response, next) => void serveGraphql(parts, request, response, next));
  discovery(app, parts);
  app.use((request) => {
    throw new NotFound(`There is nothing at ${request.path.slice(0, 200)}.`);
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const { route, caller } = recordOf(response);
    const log = parts.log.child({ request_id: response.getHeader('x-request-id') });
    const known = toHttpFault(error) ?? toPlatformError(error, log);
    const dropBytes = droppableBytes(parts.maxJsonBytes, caller !== undefined);
    if (route !== '/graphql') return sendError(response, new Reply(), known, dropBytes);
    const errors = [formatGraphqlError(known, log)];
    return sendRefusal(response, known.status, replyOf(known.headers), { errors }, dropBytes);
  });
  return app;
}

/** What the libraries below refuse, such as a range that a file does not have: the client's fault, and told as such. */
function toHttpFault(error: unknown): PlatformError | undefined {
  const { status, expose, message } = Object(error) as { status?: unknown; expose?: unknown; message?: unknown };
  if (error instanceof PlatformError || expose !== true || typeof status !== 'number' || status >= 500)
    return undefined;
  return new PlatformError(status, 'invalid_request_error', 'bad_request', String(message));
}

function discovery(app: Express, parts: HttpParts): void {
  const [jwks, openapi] = [writeOnce(parts.jwks), writeOnce(parts.openapi)];
  get(app, '/health', async (response) => {
    const health = await parts.health.check();
    const { status, version, uptimeSeconds, checks } = health;
    sendJson(response, 200, new Reply(), { status, version, uptime_s: uptimeSeconds, checks });
  });
  get(app, '/health/ready', async (response) => {
    if (parts.open.draining) throw new Unavailable('The server is shutting down.');
    if (!(await parts.health.databaseAnswers())) throw new Unavailable('The database does not answer.', 2);
    sendJson(response, 200, new Reply(), { status: 'ready' });
  });
  get(app, '/.well-known/jwks.json', async (response) => {
    sendJsonBody(response, 200, replyOf({ 'cache-control': 'public, max-age=300' }), jwks());
  });
  get(app, '/openapi.json', async (response) => sendJsonBody(response, 200, new Reply(), openapi()));
  get(app, '/metrics', async (response) => {
    requireServiceKey(await parts.contexts.create('rest', response.req, response, recordOf(response)));
    response.type(parts.metrics.contentType).send(await parts.metrics.text());
  });
  const pages = new Map([...documentationRoutes(parts.production), ...parts.pages]);
  for (const [path, answer] of pages) get(app, path, answer);
  get(app, '/', homeRoute(new Set(['/health', ...pages.keys()])));
}

/** Writes a value as JSON, once for as long as it is the same object: whoever asks for it needs no credential. */
function writeOnce(read: () => object): () => Buffer {
  let written: object | undefined;
  let bytes = Buffer.alloc(0);
  return () => {
    const value = read();
    if (value !== written) bytes = Buffer.from(JSON.stringify(value));
    written = value;
    return bytes;
  };
}

function get(app: Express, path: string, answer: Answer): void {
  app.get(path, async (_request, response) => {
    recordOf(response).route = path;
    await answer(response);
  });
  app.all(path, () => {
    throw new MethodNotAllowed(['GET', 'HEAD']);
  });
}

/** What every response has, whatever happens to it later. */
function prepare(parts: HttpParts, request: Request, response: Response, next: NextFunction): void {
  const ids = requestIdsOf(request);
  response.setHeader('x-request-id', requestIdOf(ids));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (parts.security.isTls(request)) response.setHeader('strict-transport-security', HSTS);
  const record = new AccessRecord(parts, ids, request.method, traceparentOf(request));
  record.writeWhenClosed(response);
  response.locals.record = record;
  const fault = findHeadFault(request);
  if (fault) throw fault;
  next();
}

/** The trace that a request belongs to; it is told to model servers, so it must be well-formed. */
function traceparentOf({ headers: { traceparent } }: Request): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

async function serveRest(parts: HttpParts, request: Request, response: Response, next: NextFunction): Promise<void> {
  try {
    const route = parts.engine.route(request);
    recordOf(response).route = route.path;
    const context = await openContext(parts, 'rest', request, response);
    await parts.engine.handle(request, response, context, route);
  } catch (error) {
    next(error);
  }
}

/** The address is the credential: whatever else is sent is not looked at, and nothing of it is logged. */
async function serveFile(parts: HttpParts, request: Request, response: Response, next: NextFunction): Promise<void> {
  try {
    recordOf(response).route = `${BLOB_PATH}{sealed}`;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed(['GET', 'HEAD']);
    const { reply, signal, admission } = await openContext(parts, 'rest', request, response);
    await parts.files.send(request.path, { request, response, reply, signal, admission });
  } catch (error) {
    next(error);
  }
}

async function serveGraphql(parts: HttpParts, request: Request, response: Response, next: NextFunction): Promise<void> {
  try {
    const record = recordOf(response);
    record.route = '/graphql';
    const context = await openContext(parts, 'graphql', request, response);
    await parts.graphql.handle(request, response, context, () => (record.transport = 'graphql-sse'));
  } catch (error) {
    next(error);
  }
}

async function openContext(
  parts: HttpParts,
  transport: Transport,
  request: Request,
  response: Response,
): Promise<RequestContext> {
  const record = recordOf(response);
  const context = await parts.contexts.create(transport, request, response, record);
  record.transport = transport;
  record.caller = context.caller;
  return context;
}

function recordOf(response: Response): AccessRecord {
  return response.locals.record as AccessRecord;
}

function replyOf(headers: Readonly<Record<string, string>>): Reply {
  const reply = new Reply();
  reply.setAll(headers);
  return reply;
}
