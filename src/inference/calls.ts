import type { Caller, RequestContext } from '../context.js';
import { BadUpstream } from '../errors.js';
import { UNBOUND_COMPLETION_TOKENS } from '../metering/metering.types.js';
import type { CallStart, OpenCall } from '../metering/metering.types.js';
import type { Operation } from './backends/backend.js';
import type { Route } from './backends/backends.service.js';
import { conversationPrefix } from './conversation.js';
import type { Wanted } from './backends/dispatcher.js';
import { isJsonObject } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { answersOf, longestAnswerOf, maxTokensOf, promptBytes } from './prompt.js';

/** What a call needs to know of its request. */
export type CallContext = Pick<RequestContext, 'requestId' | 'signal' | 'byok' | 'claim' | 'uncount' | 'reply'>;

/** Where calls are recorded. */
export interface CallRecorder {
  /** @throws Unavailable where nothing can be recorded */
  begin(caller: Caller, start: CallStart): Promise<OpenCall>;
}

/** What is known of a call before the upstream sees it. */
export function startOf(
  operation: Operation,
  request: JsonObject,
  { backend, model }: Route,
  context: CallContext,
): CallStart {
  const maxTokens = maxTokensOf(operation, request);
  return {
    area: operation,
    requestId: context.requestId,
    model: model.id,
    backend: backend.id,
    promptBytes: promptBytes(request),
    ...(maxTokens !== undefined && { maxTokens }),
    longestAnswer: longestAnswerOf(operation, request, model.maxTokens ?? UNBOUND_COMPLETION_TOKENS),
    claim: context.claim,
    uncount: context.uncount,
    answers: answersOf(operation, request),
  };
}

/** What of a conversation's call decides which backends may answer it. */
export function wantedFor(operation: Operation, request: JsonObject, { byok }: CallContext): Wanted {
  return { model: request.model as string, operation, affinityKey: () => conversationPrefix(request), byok };
}

/** The request for one answer; the door decides what is streamed, not the body. */
export function wholeBody(
  { stream: _stream, stream_options: _options, ...request }: JsonObject,
  { model }: Route,
): JsonObject {
  return { ...request, model: model.upstream };
}

/** The request for a stream of chunks; its usage is always asked for, since every call is metered. */
export function streamBody(request: JsonObject, { model }: Route): JsonObject {
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
