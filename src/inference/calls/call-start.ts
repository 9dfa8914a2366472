import type { Caller } from '../../access/caller.js';
import type { RequestContext } from '../../context.js';
import { BadUpstream } from '../../errors.js';
import { UNBOUND_COMPLETION_TOKENS } from '../../metering/metering.types.js';
import type { CallStart, OpenCall, PromptSize } from '../../metering/metering.types.js';
import type { Operation } from '../backends/backend.js';
import type { Route } from '../backends/backends.service.js';
import { conversationPrefix } from './conversation-prefix.js';
import type { RouteRequest } from '../backends/routing/route-planner.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { answersOf, boundsOf, longestAnswerOf, maxTokensOf } from './answer-bounds.js';
import { contentOf } from './prompt.js';

/** What a call needs to know of its request. */
export type CallContext = Pick<RequestContext, 'requestId' | 'signal' | 'byok' | 'admission' | 'reply'>;

/** Where calls are recorded. */
export interface CallRecorder {
  /** @throws Unavailable where nothing can be recorded */
  begin(caller: Caller, start: CallStart): Promise<OpenCall>;
}

/** What more a model reads of a call than its request. */
export interface CallSizing {
  /** In how many parts the input is sent; the rest of the request goes with each. Default: 1. */
  readonly batches?: number;
  /** Tokens that its backend keeps and reads beside the request. */
  readonly contextTokens?: number | undefined;
}

/** What is known of a call before the upstream sees it. */
export function buildCallStart(
  operation: Operation,
  request: JsonObject,
  { backend, model }: Route,
  context: CallContext,
  { batches = 1, contextTokens = 0 }: CallSizing = {},
): CallStart {
  const maxTokens = maxTokensOf(operation, request);
  const bounds = boundsOf(request);
  return {
    area: operation,
    requestId: context.requestId,
    model: model.id,
    backend: backend.id,
    prompt: { ...sizeOf(request, batches), contextTokens },
    ...(maxTokens !== undefined && { maxTokens }),
    longestAnswer: longestAnswerOf(operation, request, model.maxTokens ?? UNBOUND_COMPLETION_TOKENS, bounds),
    claim: context.admission.callClaim,
    refundRateLimit: () => context.admission.refundRateLimit(),
    answers: answersOf(operation, request, bounds),
  };
}

/** How much a model may read of a request, of which all but the input goes with each batch. */
function sizeOf(request: JsonObject, batches: number): Omit<PromptSize, 'contextTokens'> {
  const { texts, tokens, shortTokens, messages, mediaParts, mediaBytes } = contentOf(request);
  const size = {
    textBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    bytes: Buffer.byteLength(JSON.stringify(request)) - mediaBytes + shortTokens,
    tokens,
    messages,
    mediaParts,
  };
  if (batches <= 1) return size;
  const repeated = sizeOf({ ...request, input: '' }, 1);
  const more = batches - 1;
  return {
    ...size,
    textBytes: size.textBytes + more * repeated.textBytes,
    bytes: size.bytes + more * repeated.bytes,
  };
}

/** What of a conversation's call decides which backends may answer it. */
export function buildRouteRequest(operation: Operation, request: JsonObject, { byok }: CallContext): RouteRequest {
  return { model: request.model as string, operation, affinityKey: () => conversationPrefix(request), byok };
}

/** The request for one answer; the transport decides what is streamed, not the body. */
export function toUnaryBody(
  { stream: _stream, stream_options: _options, ...request }: JsonObject,
  { model }: Route,
): JsonObject {
  return { ...request, model: model.upstream };
}

/** The request for a stream of chunks; its usage is always asked for, since every call is metered. */
export function toStreamBody(request: JsonObject, { model }: Route): JsonObject {
  const options = isJsonObject(request.stream_options) ? request.stream_options : {};
  return { ...request, model: model.upstream, stream: true, stream_options: { ...options, include_usage: true } };
}

/**
 * An answer whose choices are there.
 * @throws BadUpstream
 */
export function requireChoices(answer: JsonObject): JsonObject {
  if (Array.isArray(answer.choices)) return answer;
  throw new BadUpstream('The answer of the model server has no choices.');
}
