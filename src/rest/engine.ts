import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSourceEventStream, execute } from 'graphql';
import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { MethodNotAllowed, NotFound } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { requireAccess } from '../access/access-rule.js';
import { beginAttempt, checkIdempotencyKey, isReplayable, toStoredJson } from '../admission/idempotency.js';
import type { Attempt, Idempotency, StoredResponse } from '../admission/idempotency.js';
import { isEventStream } from '../graph/event-stream.js';
import { toPlatformError } from '../graph/platform-error.js';
import type { Graph } from '../graph/graph.js';
import type { RequestContext } from '../context.js';
import { bindVariables, chooseEndpoint } from './bind.js';
import type { Endpoint } from './endpoint.js';
import { droppableBytes } from './drop-body.js';
import { ReplayRecorder } from '../admission/replay-recorder.js';
import { readJsonBody } from './read-body.js';
import { headersOf, sendError, sendJson, sendReplay, shapeAnswer, withWireName } from './respond.js';
import type { Route, Router } from './router.js';
import { sendStream, STREAM_HEADERS } from './send-stream.js';

/** Bodies of public operations are small, and come from anyone. */
const PUBLIC_BODY_BYTES = 64 * 1024;

interface EngineOptions {
  readonly graph: Graph;
  readonly router: Router;
  readonly maxJsonBytes: number;
  /** Holds a place among the open streams; the returned function gives it back. @throws Unavailable, RateLimited */
  readonly openStream: (context: RequestContext) => Promise<() => void>;
  readonly idempotency: Idempotency;
  /** The logger of a request. */
  readonly logOf: (context: RequestContext) => Logger;
}

/** The operations that a request may mean. */
export interface Matched extends Route {
  /** The template of the path, such as `/v1/models/{id}`. */
  readonly path: string;
  readonly requestPath: string;
  /** The query with its `?`, or an empty text. */
  readonly search: string;
}

/** Answers `/v1` paths by executing their operation documents against the graph, in this process. */
export class RestEngine {
  constructor(private readonly options: EngineOptions) {}

  /**
   * Finds what a request asks for, before anybody asks who sends it.
   * @throws NotFound, MethodNotAllowed
   */
  route({ method = 'GET', url = '/' }: IncomingMessage): Matched {
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const route = this.options.router.match(method, path);
    if (!route) throw new NotFound(`There is nothing at ${path.slice(0, 200)}.`);
    if ('allow' in route) throw new MethodNotAllowed(route.allow);
    const [{ path: template }] = route.endpoints as [Endpoint];
    return { ...route, path: template, requestPath: path, search: url.slice(path.length) };
  }

  /** Answers a request; never throws. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    route: Matched,
  ): Promise<void> {
    const { maxJsonBytes } = this.options;
    let endpoint: Endpoint | undefined;
    let attempt: Attempt | undefined;
    const mapError = (error: unknown): PlatformError => {
      const platformError = toPlatformError(error, this.options.logOf(context));
      return endpoint ? withWireName(endpoint, platformError) : platformError;
    };
    try {
      const [first] = route.endpoints as [Endpoint];
      await this.admit(first, context);
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
      const limit = first.access.rule ? maxJsonBytes : PUBLIC_BODY_BYTES;
      const body = hasBody ? await readJsonBody(request, limit) : {};
      const input = { params: route.params, query: new URLSearchParams(route.search), body };
      endpoint = chooseEndpoint(route.endpoints, input);
      if (!endpoint) throw new NotFound();
      const variables = bindVariables(endpoint, input);
      attempt = this.attemptOf(route.requestPath, endpoint, context, [route.search, body]);
      const kept = attempt && (await beginAttempt(attempt, context));
      if (kept) return sendReplay(response, context.reply, kept);
      await this.execute(endpoint, variables, context, response, mapError, attempt);
    } catch (error) {
      const platformError = mapError(error);
      if (response.headersSent) return void response.destroy();
      const kept = attempt && (await afterFailure(attempt, platformError, this.options.logOf(context)));
      if (kept) sendReplay(response, context.reply, kept);
      else
        sendError(response, context.reply, platformError, droppableBytes(maxJsonBytes, context.caller !== undefined));
    }
  }

  /** What an Idempotency-Key stands for; undefined without one, and where nothing is made. */
  private attemptOf(
    path: string,
    { method, access: { rule } }: Endpoint,
    { caller, byok, idempotencyKey }: RequestContext,
    content: readonly unknown[],
  ): Attempt | undefined {
    if (idempotencyKey === undefined || method !== 'POST' || !rule || !caller) return undefined;
    const key = checkIdempotencyKey(idempotencyKey);
    const isCall = rule.limited === true;
    return this.options.idempotency.attempt({ caller, key, method, path, content: [...content, byok], isCall });
  }

  /** Nothing of a body is read for a caller who may not send it. */
  private async admit(endpoint: Endpoint, context: RequestContext): Promise<void> {
    const rule = endpoint.access.rule;
    if (!rule) return;
    requireAccess(context, rule);
    if (!rule.limited) return;
    await this.options.graph.countCall(context);
  }

  private async execute(
    endpoint: Endpoint,
    variableValues: Record<string, unknown>,
    contextValue: RequestContext,
    response: ServerResponse,
    mapError: (error: unknown) => PlatformError,
    attempt: Attempt | undefined,
  ): Promise<void> {
    const { schema } = this.options.graph;
    const { document } = endpoint;
    if (!endpoint.stream) {
      const result = (await execute({ schema, document, variableValues, contextValue })) as ExecutionResult;
      const answer = shapeAnswer(endpoint, valueOf(result, endpoint));
      const headers = { ...headersOf(endpoint, answer), ...contextValue.reply.omittedHeader };
      contextValue.reply.setAll(headers);
      await attempt?.keep(toStoredJson(endpoint.status, headers, answer));
      sendJson(response, endpoint.status, contextValue.reply, answer);
      return;
    }
    const close = await this.options.openStream(contextValue);
    try {
      const source = await createSourceEventStream({ schema, document, variableValues, contextValue });
      if (!(Symbol.asyncIterator in source)) throw source.errors?.[0] ?? new Error('The subscription gave no stream.');
      if (!isEventStream(source)) throw new Error(`${endpoint.name} does not answer an event stream.`);
      const recorder =
        attempt && new ReplayRecorder(attempt, { ...STREAM_HEADERS, ...contextValue.reply.omittedHeader });
      await sendStream(response, contextValue, source, endpoint.stream, mapError, recorder);
    } finally {
      close();
    }
  }
}

/**
 * Ends a failed attempt: what may be told again is kept, otherwise the next attempt is the first again.
 * @returns the answer of another attempt, which ended meanwhile
 */
async function afterFailure(attempt: Attempt, error: PlatformError, log: Logger): Promise<StoredResponse | undefined> {
  try {
    if (error.code === 'idempotency_not_replayable') return await attempt.find();
    if (isReplayable(error.status)) await attempt.keep(toStoredJson(error.status, error.headers, error.toBody()));
    else await attempt.release();
  } catch (failure) {
    log.warn({ err: failure }, 'the end of an idempotent request is not recorded yet');
  }
  return undefined;
}

function valueOf(result: ExecutionResult, endpoint: Endpoint): unknown {
  if (result.errors?.[0]) throw result.errors[0];
  const value = result.data?.[endpoint.rootField];
  if (value === null || value === undefined) throw new NotFound();
  return value;
}
