import type { Logger } from 'pino';
import type { Caller } from '../../context.js';
import type { EventStream } from '../../graph/event-stream.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { AnswerStage } from '../streams/answer-stage.js';
import { AnswerStream } from '../streams/answer-stream.js';
import { requireChoices, streamBody, wantedFor, wholeBody } from '../calls.js';
import type { CallContext, CallRecorder } from '../calls.js';
import type { Dispatcher } from '../backends/dispatcher.js';
import { isJsonObject, textOr } from '../json.types.js';
import type { JsonObject } from '../json.types.js';
import { ReservedCall } from '../reserved-call.js';
import type { StreamDialect } from '../streams/stream-dialect.js';
import { completedUsage } from '../usage.types.js';
import { answerWhole } from '../whole-answer.js';

/** What one operation whose answers are choices has of its own. */
export interface ChoicesOperation<Whole, Chunk> {
  readonly operation: 'chat' | 'completions';
  /** The JSON Schema of the body. */
  readonly schema: URL;
  /** What `object` says in a whole answer. */
  readonly object: string;
  readonly idPrefix: string;
  toWhole(raw: JsonObject): Whole;
  /** @param model the public name */
  dialect(request: JsonObject, model: string): StreamDialect<Chunk>;
  /** What every stream passes through. */
  stages(): AnswerStage[];
}

/** Answers in choices, whole and streamed, by whichever backend serves the model. */
export class ChoicesService<Whole, Chunk> {
  private readonly check: BodyCheck;

  constructor(
    private readonly kind: ChoicesOperation<Whole, Chunk>,
    private readonly dispatcher: Dispatcher,
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
    const dispatch = await this.dispatcher.prepare(caller, wantedFor(operation, request, context));
    const call = new ReservedCall({ operation, request, dispatch, context });
    const { signal, byok } = context;
    const { answer, callId, usage } = await answerWhole({
      request,
      begin: () => call.begin(this.recorder, caller),
      ask: () =>
        dispatch.run(signal, async (route) =>
          requireChoices(
            await route.backend.answer(operation, wholeBody(call.body, route), {
              signal,
              callerId: caller.userId,
              key: byok,
              traceparent: dispatch.traceparent,
            }),
          ),
        ),
      signal,
      log: this.log,
    });
    // What could not be counted by is not repeated.
    const told = usage.precision === 'exact' && isJsonObject(answer.usage) ? answer.usage : {};
    return this.kind.toWhole({
      ...answer,
      id: textOr(answer.id, `${idPrefix}-${callId}`),
      created: typeof answer.created === 'number' ? answer.created : Math.floor(Date.now() / 1000),
      object,
      model: dispatch.expected.model.id,
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
    const dispatch = await this.dispatcher.prepare(caller, wantedFor(operation, request, context));
    const call = new ReservedCall({ operation, request, dispatch, context });
    return new AnswerStream(
      {
        request,
        begin: () => call.begin(this.recorder, caller),
        open: (signal) =>
          dispatch.run(signal, (route) =>
            route.backend.answerStream(operation, streamBody(call.body, route), {
              signal,
              callerId: caller.userId,
              key: context.byok,
              traceparent: dispatch.traceparent,
            }),
          ),
        signal: context.signal,
        log: this.log,
      },
      this.kind.dialect(request, dispatch.expected.model.id),
      this.kind.stages(),
    );
  }

  private validated(body: unknown): JsonObject {
    this.check(body);
    return body as JsonObject;
  }
}
