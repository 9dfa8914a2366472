import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSourceEventStream, execute } from 'graphql';
import type { ExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { MethodNotAllowed, NotFound } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { toStoredJson } from '../admission/stored-response.js';
import type { StoredResponse } from '../admission/stored-response.js';
import { toPlatformError } from '../graph/platform-error.js';
import type { Graph } from '../graph/graph.js';
import type { RequestContext } from '../context.js';
import { bindVariables, chooseEndpoint } from './bind.js';
import type { Endpoint, FileParts } from './endpoint.js';
import { droppableBytes } from './drop-body.js';
import type { FileSender } from './file-sender.js';
import { openUpload } from './open-upload.js';
import type { ReadPlaces } from '../graph/read-places.js';
import type { HeldBodies } from './held-bodies.js';
import { readJsonBody } from './read-body.js';
import { headersOf, sendError, sendJson, sendReplay, shapeAnswer, withWireName } from './respond.js';
import type { Route, Router } from './router.js';
import { isEventStream, sendStream, streamHeaders } from './send-stream.js';

/** Bodies of public operations are small, and come from anyone. */
const PUBLIC_BODY_BYTES = 64 * 1024;

interface EngineOptions {
  readonly graph: Graph;
  readonly router: Router;
  readonly maxJsonBytes: number;
  readonly bodies: HeldBodies;
  readonly reads: ReadPlaces;
  readonly files: FileSender;
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
    const { bodies, maxJsonBytes } = this.options;
    const { admission, reply } = context;
    let endpoint: Endpoint | undefined;
    const mapError = (error: unknown): PlatformError => {
      const platformError = toPlatformError(error, this.options.logOf(context));
      return endpoint ? withWireName(endpoint, platformError) : platformError;
    };
    try {
      const [first] = route.endpoints as [Endpoint];
      const { rule } = first.access;
      // Nothing of a body is read for a caller who may not send it.
      if (rule) await admission.admitAhead(rule, first.rootField);
      if (first.parts) {
        endpoint = first;
        return await this.executeWithFiles(first, first.parts, route, context, { request, response }, mapError);
      }
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
      const memory = context.caller && bodies.open(context.caller, response);
      const body = hasBody ? await readJsonBody(request, rule ? maxJsonBytes : PUBLIC_BODY_BYTES, memory) : {};
      const query = new URLSearchParams(route.search);
      const input = { params: route.params, query, headers: request.headers, body };
      endpoint = chooseEndpoint(route.endpoints, input);
      if (!endpoint) throw new NotFound();
      const variables = bindVariables(endpoint, input);
      const replay = await this.claimKey(endpoint, route, body, context);
      if (replay) return sendReplay(response, reply, replay);
      await this.execute(endpoint, variables, context, response, mapError);
    } catch (error) {
      const platformError = mapError(error);
      if (response.headersSent) return void response.destroy();
      const replay = await admission.fail(platformError);
      if (replay) sendReplay(response, reply, replay);
      else sendError(response, reply, platformError, droppableBytes(maxJsonBytes, context.caller !== undefined));
    } finally {
      admission.close();
    }
  }

  /** The operation receives the files itself, when it knows that it may. Only then is known what a key stands for. */
  private async executeWithFiles(
    endpoint: Endpoint,
    parts: FileParts,
    route: Matched,
    context: RequestContext,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
    mapError: (error: unknown) => PlatformError,
  ): Promise<void> {
    let replay: StoredResponse | undefined;
    const onReceived = async (content: readonly unknown[]): Promise<void> => {
      replay = await this.claimKey(endpoint, route, content, context);
      if (replay) throw new Error('The request was answered before.');
    };
    const upload = openUpload(request, { parts, signal: context.signal, onReceived });
    const { params, search } = route;
    const query = new URLSearchParams(search);
    const input = { params, query, headers: request.headers, body: {}, upload };
    try {
      await this.execute(endpoint, bindVariables(endpoint, input), context, response, mapError);
    } catch (error) {
      if (!replay) throw error;
      sendReplay(response, context.reply, replay);
    }
  }

  /** An Idempotency-Key counts where something is made. @returns the response of an earlier attempt */
  private async claimKey(
    { method, access: { rule } }: Endpoint,
    { requestPath, search }: Matched,
    body: unknown,
    { admission }: RequestContext,
  ): Promise<StoredResponse | undefined> {
    if (method !== 'POST' || !rule) return undefined;
    return admission.claimKey({ method, path: requestPath, content: [search, body], rule });
  }

  private async execute(
    endpoint: Endpoint,
    variableValues: Record<string, unknown>,
    contextValue: RequestContext,
    response: ServerResponse,
    mapError: (error: unknown) => PlatformError,
  ): Promise<void> {
    const { graph, reads } = this.options;
    const { schema } = graph;
    const { document } = endpoint;
    const { admission, reply } = contextValue;
    if (!endpoint.stream) {
      const run = () => execute({ schema, document, variableValues, contextValue });
      const result: ExecutionResult = await reads.run(contextValue, { document }, run);
      const value = valueOf(result, endpoint);
      if (endpoint.produces === 'BYTES') {
        const { url } = value as { url: string };
        const { signal } = contextValue;
        return this.options.files.send(url, { request: response.req, response, reply, signal, admission });
      }
      const answer = shapeAnswer(endpoint, value);
      const headers = { ...headersOf(endpoint, answer), ...reply.omittedHeader };
      reply.setAll(headers);
      await admission.complete(() => toStoredJson(endpoint.status, headers, answer));
      sendJson(response, endpoint.status, reply, answer);
      return;
    }
    const close = await admission.openStream();
    try {
      const source = await createSourceEventStream({ schema, document, variableValues, contextValue });
      if (!(Symbol.asyncIterator in source)) throw source.errors?.[0] ?? new Error('The subscription gave no stream.');
      if (!isEventStream(source)) throw new Error(`${endpoint.name} does not answer an event stream.`);
      const recorder = admission.record({ ...streamHeaders(endpoint), ...reply.omittedHeader });
      await sendStream(response, contextValue, source, endpoint, mapError, recorder);
    } finally {
      close();
    }
  }
}

function valueOf(result: ExecutionResult, endpoint: Endpoint): unknown {
  if (result.errors?.[0]) throw result.errors[0];
  const value = result.data?.[endpoint.rootField];
  if (value === null || value === undefined) throw new NotFound();
  return value;
}
