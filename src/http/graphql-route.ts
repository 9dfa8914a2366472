import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { RequestContext } from '../context.js';
import { BadRequest, MethodNotAllowed, NotAcceptable, PersistedQueryNotFound } from '../errors.js';
import { InvalidOperation } from '../graph/operations.js';
import type { CheckedOperation, OperationChecker, OperationRequest } from '../graph/operations.js';
import type { PersistedQueries } from '../graph/persisted-queries.js';
import type { ReadPlaces } from '../graph/read-places.js';
import { formatGraphqlError, toPlatformError } from '../graph/platform-error.js';
import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';
import { droppableBytes } from '../rest/drop-body.js';
import type { HeldBodies } from '../rest/held-bodies.js';
import { readJsonBody } from '../rest/read-body.js';
import { sendRefusal } from '../rest/respond.js';
import type { GraphqlHttp } from './graphql-http.js';
import type { GraphqlSse } from './graphql-sse.js';

/** What anyone may send without a credential. */
const PUBLIC_BODY_BYTES = 64 * 1024;
const EVENTS = 'text/event-stream';
const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

interface GraphqlRouteParts {
  readonly checker: OperationChecker;
  readonly persisted: PersistedQueries;
  readonly http: GraphqlHttp;
  readonly sse: GraphqlSse;
  readonly maxJsonBytes: number;
  readonly bodies: HeldBodies;
  readonly reads: ReadPlaces;
  readonly logOf: (context: RequestContext) => Logger;
}

/** What came over HTTP, in whichever way. */
interface SentOperation {
  readonly query?: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/**
 * `/graphql` over HTTP: an operation is read, checked, and answered as JSON or as Server-Sent Events, as the client
 * prefers and the kind of operation allows.
 */
export class GraphqlRoute {
  constructor(private readonly parts: GraphqlRouteParts) {}

  /**
   * Answers a request; never throws.
   * @param onEvents told where the answer is a stream of events
   */
  async handle(request: Request, response: Response, context: RequestContext, onEvents: () => void): Promise<void> {
    try {
      const sent = await this.read(request, response, context);
      const operation = await this.operationOf(sent, context);
      const checked = this.parts.checker.check(operation);
      if (sent.query !== undefined && sent.extensions?.persistedQuery !== undefined && context.caller) {
        await this.parts.persisted.save(context.caller, sent.query);
      }
      if (!wantsEvents(request, checked)) {
        const asked = { ...checked, operationName: operation.operationName };
        return await this.parts.reads.run(context, asked, () => this.parts.http(operation, context, request, response));
      }
      onEvents();
      await this.parts.sse({ ...checked, ...operation }, { ...context, transport: 'graphql-sse' }, request, response);
    } catch (error) {
      this.refuse(error, context, response);
    }
  }

  private async read(request: Request, response: Response, context: RequestContext): Promise<SentOperation> {
    if (request.method === 'GET') return fromQuery(new URL(request.url, 'http://localhost').searchParams);
    if (request.method !== 'POST') throw new MethodNotAllowed(['GET', 'POST']);
    const hasCredential = context.caller !== undefined || context.serviceKeyId !== undefined;
    const { bodies, maxJsonBytes } = this.parts;
    const memory = context.caller && bodies.open(context.caller, response);
    return checkSent(await readJsonBody(request, hasCredential ? maxJsonBytes : PUBLIC_BODY_BYTES, memory));
  }

  private async operationOf(sent: SentOperation, context: RequestContext): Promise<OperationRequest> {
    const { query, operationName, variables, extensions } = sent;
    context.signal.throwIfAborted();
    if (extensions?.persistedQuery === undefined) {
      if (query === undefined) throw new BadRequest('query is required.');
      return { query, operationName, variables };
    }
    return { query: await this.parts.persisted.textOf(query, extensions.persistedQuery), operationName, variables };
  }

  private refuse(error: unknown, context: RequestContext, response: Response): void {
    const log = this.parts.logOf(context);
    const known = toPlatformError(error, log);
    if (response.headersSent) return void response.destroy();
    const errors = error instanceof InvalidOperation ? error.errors : [known];
    context.reply.setAll(known.headers);
    // The hash alone is a question, which clients expect to be answered.
    const status = known instanceof PersistedQueryNotFound ? 200 : known.status;
    const value = { errors: errors.map((entry) => formatGraphqlError(entry, log)) };
    const dropBytes = droppableBytes(this.parts.maxJsonBytes, context.caller !== undefined);
    sendRefusal(response, status, context.reply, value, dropBytes);
  }
}

/**
 * Whether the answer is a stream of events.
 * @throws NotAcceptable; BadRequest for a subscription that is not asked for as events; MethodNotAllowed
 */
function wantsEvents(request: Request, { operation: { operation } }: CheckedOperation): boolean {
  if (request.method === 'GET' && operation === 'mutation') throw new MethodNotAllowed(['POST']);
  const { accept = '*/*' } = request.headers;
  const preferred = request.accepts([...JSON_TYPES, EVENTS]);
  if (operation !== 'subscription') {
    if (preferred === false) throw new NotAcceptable(`Accept ${JSON_TYPES.join(', ')} or ${EVENTS}.`);
    return preferred === EVENTS;
  }
  if (accept.includes(EVENTS) && request.accepts(EVENTS) !== false) return true;
  throw new BadRequest(
    `A subscription is answered as a stream: send \`accept: ${EVENTS}\` (graphql-sse), or use a WebSocket (graphql-ws).`,
  );
}

function fromQuery(parameters: URLSearchParams): SentOperation {
  const json = (name: string): unknown => {
    const text = parameters.get(name);
    if (text === null || text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new BadRequest(`${name} is not valid JSON.`);
    }
  };
  return checkSent({
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName') || undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/** @throws BadRequest that names the member of a wrong type */
function checkSent(body: unknown): SentOperation {
  if (Array.isArray(body)) throw new BadRequest('Operations are sent one by one, not in a batch.');
  const { query, operationName, variables, extensions }: JsonObject = isJsonObject(body) ? body : {};
  return {
    query: optional('query', query, isText, 'a text'),
    operationName: optional('operationName', operationName, isText, 'a text'),
    variables: optional('variables', variables, isJsonObject, 'an object'),
    extensions: optional('extensions', extensions, isJsonObject, 'an object'),
  };
}

function optional<T>(name: string, value: unknown, isIt: (value: unknown) => value is T, kind: string): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (isIt(value)) return value;
  throw new BadRequest(`${name} must be ${kind}.`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
