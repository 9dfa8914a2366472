import type { ByokKey, Caller } from '../../access/caller.js';
import { BadUpstream, PlatformError } from '../../errors.js';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { Route } from '../backends/backend-registry.js';
import type { ConversationMemory } from '../calls/conversation-memory.js';
import type { CallSizing, StreamExchange, Upstream } from '../calls/model-call.js';
import { requireChoices, toStreamBody } from '../completions/completion-exchange.js';
import { ChatFallbackStreamParser } from './chat-fallback-stream-parser.js';
import { toChatRequest } from './chat-fallback-request.js';
import type { ChatForm } from './chat-fallback-request.js';
import { toResponse } from './chat-fallback-response.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { newResponseId, unknownResponse } from './response-contexts.js';
import type { ResponseContext, ResponseContexts } from './response-contexts.js';
import { completeResponse, outcomeOf, publicUsage, repeatedMembers } from './response-shape.js';
import { ResponseStreamCodec } from './response-stream-codec.js';
import type { NamedStreamParser } from './named-stream-parser.js';
import type { ResponseEvent } from './responses.types.js';
import { ResponseStreamParser } from './response-stream-parser.js';
import { toMeteredUsage } from '../calls/usage.js';

/** An earlier response, and from what it is continued. */
export interface PriorResponse {
  readonly id: string;
  readonly context: ResponseContext;
}

/** What a call of responses is made of. */
export interface ResponseCall {
  readonly caller: Caller;
  /** The client's own request with all of its input, the context included. */
  readonly request: JsonObject;
  readonly prior?: PriorResponse;
  readonly contexts: ResponseContexts;
  /** The caller's own key. */
  readonly key?: ByokKey;
  readonly memory: ConversationMemory;
}

/** How one route is asked and read. */
interface UpstreamRequest {
  readonly route: Route;
  readonly operation: 'responses' | 'chat';
  readonly body: JsonObject;
  readonly parser: NamedStreamParser;
  /** The request as chat takes it, where the backend has no responses. */
  readonly chat?: ChatForm;
}

/** What a response repeats of the caller's request also where its model has read something else. */
const CALLERS_OWN = ['instructions', 'metadata', 'text', 'tools', 'user'];

/**
 * One request for a response and its answer: what goes to the backend, in which form, and how what it answers becomes
 * public. A backend without responses is asked through its chat completions.
 */
export class ResponseExchange implements StreamExchange<ResponseEvent> {
  /** The id that the client gets. */
  readonly id = newResponseId();
  readonly sizing: CallSizing;
  /** What its response repeats of the caller's request. */
  readonly repeated: JsonObject;
  /** Unix seconds: what the model server told last, until then when it was asked. */
  private createdAt = Math.floor(Date.now() / 1000);
  private upstreamRequest: UpstreamRequest;
  private upstreamId: string | undefined;

  /**
   * @param request what is sent of the call's request
   * @throws Conflict `capability_not_supported` where a field would be lost on the way through chat completions
   */
  constructor(
    private readonly call: ResponseCall,
    readonly request: JsonObject,
    route: Route,
  ) {
    const { context } = call.prior ?? {};
    this.sizing = { contextTokens: context?.kind === 'stored' ? context.tokens : undefined };
    this.repeated = repeatedMembers(call.request);
    this.upstreamRequest = this.buildUpstreamRequest(route, request);
  }

  /** How a streamed answer is read; as the last route that was taken needs it. */
  get parser(): NamedStreamParser {
    return this.upstreamRequest.parser;
  }

  /** The paths of the fields that the backend does not get, since its chat completions have no counterpart. */
  get omittedFields(): readonly string[] {
    return this.upstreamRequest.chat?.omitted ?? [];
  }

  createCodec(): ResponseStreamCodec {
    return new ResponseStreamCodec(this);
  }

  ask(body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    return upstream.run(async (route, options) => {
      this.upstreamRequest = this.buildUpstreamRequest(route, body);
      const { operation, body: sent, chat } = this.upstreamRequest;
      const answer = await route.backend.answer(operation, sent, options).catch(this.mapMissingResponse);
      if (chat) return toResponse(requireChoices(answer), chat.tools);
      if (answer.output !== undefined && answer.output !== null)
        return { ...answer, status: answer.status ?? 'completed' };
      throw new BadUpstream('The answer of the model server has no output.');
    });
  }

  open(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<ByteSource> {
    return upstream.run((route, options) => {
      this.upstreamRequest = this.buildUpstreamRequest(route, body);
      const { operation, body: sent } = this.upstreamRequest;
      const request = operation === 'chat' ? toStreamBody(sent, route) : { ...sent, stream: true };
      return route.backend.answerStream(operation, request, options).catch(this.mapMissingResponse);
    }, signal);
  }

  outcomeOf({ status }: JsonObject): Outcome {
    return outcomeOf(status);
  }

  async finish(answer: JsonObject, _callId: string, usage: MeteredUsage): Promise<JsonObject> {
    const response = this.toPublic(answer, usage);
    await this.storeContext(response);
    return response;
  }

  /**
   * A response object with our id, the public name of the model, and every member that is promised.
   * @param usage where the answer is whole
   */
  readonly toPublic = (response: JsonObject, usage = toMeteredUsage(response.usage)): JsonObject => {
    const { id, created, created_at: createdAt } = response;
    const { request, prior } = this.call;
    if (typeof id === 'string') this.upstreamId = id;
    const time = Math.floor([created, createdAt].find((value) => typeof value === 'number') ?? this.createdAt);
    this.createdAt = time;
    const changed = CALLERS_OWN.filter((name) => name in this.repeated && request[name] !== this.request[name]);
    return {
      ...completeResponse(response, this.repeated, time),
      id: this.id,
      object: 'response',
      created_at: Math.floor(typeof createdAt === 'number' ? createdAt : time),
      created: time,
      model: this.upstreamRequest.route.model.id,
      ...Object.fromEntries(changed.map((name) => [name, this.repeated[name]])),
      previous_response_id: prior?.id ?? null,
      usage: usage && publicUsage(response.usage, usage),
    };
  };

  toFailed({ code, message, details: { reason } }: PlatformError): JsonObject {
    const error = { code, message, ...(reason !== undefined && { reason }) };
    return this.toPublic({ status: 'failed', error, output: [] });
  }

  /** Keeps from what the response can be continued, unless the caller forbids it. */
  async storeContext(response: JsonObject): Promise<void> {
    const { caller, request, contexts, key, memory } = this.call;
    if (request.store === false) return;
    const { operation, route } = this.upstreamRequest;
    const keepsItself = operation === 'responses' && route.backend.supports.includes('responses_store');
    const state: ResponseContext =
      keepsItself && this.upstreamId !== undefined
        ? { kind: 'stored', backend: route.backend.id, upstreamId: this.upstreamId, tokens: tokensOf(response.usage) }
        : { kind: 'items', items: [...itemsOf(request.input), ...itemsOf(response.output, 'assistant')] };
    await contexts.save(caller, this.id, { ...state, memory: memory.toJSON() }, key);
  }

  /** A backend that keeps its responses itself may have dropped the one to continue; its own words would tell its id. */
  private readonly mapMissingResponse = (error: unknown): never => {
    const isGone = error instanceof PlatformError && error.status === 404 && this.call.prior?.context.kind === 'stored';
    throw isGone ? unknownResponse() : error;
  };

  private buildUpstreamRequest(route: Route, request: JsonObject): UpstreamRequest {
    const { context } = this.call.prior ?? {};
    const { stream: _stream, previous_response_id: _previous, ...fields } = request;
    const body = {
      ...fields,
      ...(context?.kind === 'stored' && { previous_response_id: context.upstreamId }),
      model: route.model.upstream,
    };
    if (route.model.capabilities.includes('responses')) {
      return { route, operation: 'responses', body, parser: new ResponseStreamParser(this.id, this.toPublic) };
    }
    const chat = toChatRequest(body);
    const parser = new ChatFallbackStreamParser(this.toPublic, chat.tools);
    return { route, operation: 'chat', body: chat.body, parser, chat };
  }
}

/** The request with all of its input: the context in front, unless the backend itself keeps that. */
export function withContext(request: JsonObject, prior: PriorResponse | undefined): JsonObject {
  if (prior?.context.kind !== 'items') return request;
  return { ...request, input: [...prior.context.items, ...itemsOf(request.input)] };
}

/** An input or an output as items, so that they can stand one behind the other. */
function itemsOf(items: unknown, role = 'user'): JsonObject[] {
  return typeof items === 'string' ? [{ type: 'message', role, content: items }] : objectsOf(items);
}

/** The tokens of a conversation up to the end of a response. */
function tokensOf(usage: unknown): number {
  const { promptTokens, completionTokens } = toMeteredUsage(usage) ?? { promptTokens: 0, completionTokens: 0 };
  return promptTokens + completionTokens;
}
