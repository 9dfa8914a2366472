import type { Logger } from 'pino';
import type { Caller } from '../../access/caller.js';
import type { EventStream } from '../../graph/event-stream.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import { AnswerStream } from '../streaming/answer-stream.js';
import { requireChoices, toStreamBody, buildRouteRequest, toUnaryBody } from '../calls/call-start.js';
import type { CallContext, CallRecorder } from '../calls/call-start.js';
import type { RoutePlanner } from '../backends/routing/route-planner.js';
import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ReservedCall } from '../calls/reserved-call.js';
import type { StreamCodec } from '../streaming/stream-codec.js';
import { completedUsage } from '../calls/usage.types.js';
import { runUnaryCall } from '../calls/unary-call.js';

/** What one operation whose answers are choices has of its own. */
export interface CompletionOperation<Whole, Chunk> {
  readonly operation: 'chat' | 'completions';
  /** The JSON Schema of the body. */
  readonly schema: URL;
  /** What `object` says in a whole answer. */
  readonly object: string;
  readonly idPrefix: string;
  toCompletion(raw: JsonObject): Whole;
  /** @param model the public name */
  codec(request: JsonObject, model: string): StreamCodec<Chunk>;
  /** What every stream passes through. */
  transforms(): ChunkTransform[];
}

/** Answers in choices, whole and streamed, by whichever backend serves the model. */
export class CompletionService<Whole, Chunk> {
  private readonly check: BodyCheck;

  constructor(
    private readonly kind: CompletionOperation<Whole, Chunk>,
    private readonly planner: RoutePlanner,
    private readonly recorder: CallRecorder,
    private readonly log: Logger,
  ) {
    this.check = compileBodySchema(kind.schema);
  }

  /**
   * Answers as one JSON object (specification, section 4).
   * @throws BadRequest, NotFound `model_not_found`, Conflict `model_not_allowed` or `capability_not_supported`, BadUpstream, UpstreamTimeout,
   * Unavailable, or the upstream's own refusal
   */
  async complete(caller: Caller, body: unknown, context: CallContext): Promise<Whole> {
    const { operation, idPrefix, object } = this.kind;
    const request = this.validated(body);
    const plan = await this.planner.plan(caller, buildRouteRequest(operation, request, context));
    const call = new ReservedCall({ operation, request, plan, context });
    const { signal, byok } = context;
    const { answer, callId, usage } = await runUnaryCall({
      request,
      begin: () => call.begin(this.recorder, caller),
      ask: () =>
        plan.run(signal, async (route) =>
          requireChoices(
            await route.backend.answer(operation, toUnaryBody(call.body, route), {
              signal,
              callerId: caller.userId,
              key: byok,
              traceparent: plan.traceparent,
            }),
          ),
        ),
      signal,
      log: this.log,
    });
    // What could not be counted by is not repeated.
    const told = usage.precision === 'exact' && isJsonObject(answer.usage) ? answer.usage : {};
    return this.kind.toCompletion({
      ...answer,
      id: textOr(answer.id, `${idPrefix}-${callId}`),
      created: typeof answer.created === 'number' ? answer.created : Math.floor(Date.now() / 1000),
      object,
      model: plan.expected.model.id,
      usage: completedUsage(told, usage),
    });
  }

  /**
   * Answers as a stream (specification, section 6). What is wrong with the request is told before the stream exists;
   * what goes wrong upstream, by its first `next()` or later.
   * @throws BadRequest, NotFound `model_not_found`, Conflict `model_not_allowed` or `capability_not_supported`, BadUpstream
   */
  async stream(caller: Caller, body: unknown, context: CallContext): Promise<EventStream<Chunk>> {
    const { operation } = this.kind;
    const request = this.validated(body);
    const plan = await this.planner.plan(caller, buildRouteRequest(operation, request, context));
    const call = new ReservedCall({ operation, request, plan, context });
    return new AnswerStream(
      {
        request,
        begin: () => call.begin(this.recorder, caller),
        open: (signal) =>
          plan.run(signal, (route) =>
            route.backend.answerStream(operation, toStreamBody(call.body, route), {
              signal,
              callerId: caller.userId,
              key: context.byok,
              traceparent: plan.traceparent,
            }),
          ),
        signal: context.signal,
        log: this.log,
      },
      this.kind.codec(request, plan.expected.model.id),
      this.kind.transforms(),
    );
  }

  private validated(body: unknown): JsonObject {
    this.check(body);
    return body as JsonObject;
  }
}
