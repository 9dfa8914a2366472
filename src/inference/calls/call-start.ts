import type { Area } from '../../access/area.js';
import { UNBOUND_COMPLETION_TOKENS } from '../../metering/metering.types.js';
import type { CallStart, PromptSize } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Operation } from '../backends/backend.js';
import type { Route } from '../backends/backends.service.js';
import { answersOf, boundsOf, longestAnswerOf, maxTokensOf } from './answer-bounds.js';
import type { CallContext, CallSizing } from './model-call.js';
import { contentOf } from './prompt.js';

interface SizedRequest {
  readonly area: Area;
  readonly operation: Operation;
  readonly request: JsonObject;
  readonly sizing?: CallSizing;
}

/** What is known of a call before the upstream sees it. */
export function buildCallStart(
  { area, operation, request, sizing: { batches = 1, contextTokens = 0 } = {} }: SizedRequest,
  { backend, model }: Route,
  { requestId, admission }: CallContext,
): CallStart {
  const maxTokens = maxTokensOf(operation, request);
  const bounds = boundsOf(request);
  return {
    area,
    requestId,
    model: model.id,
    backend: backend.id,
    prompt: { ...sizeOf(request, batches), contextTokens },
    ...(maxTokens !== undefined && { maxTokens }),
    longestAnswer: longestAnswerOf(operation, request, model.maxTokens ?? UNBOUND_COMPLETION_TOKENS, bounds),
    claim: admission?.callClaim,
    refundRateLimit: admission && (() => admission.refundRateLimit()),
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
