import type { Logger } from 'pino';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { OpenCall } from '../../metering/metering.types.js';
import { AnswerStream } from '../streaming/answer-stream.js';
import { buildRouteRequest } from '../calls/call-start.js';
import type { CallContext, CallRecorder } from '../calls/call-start.js';
import type { RoutePlan } from '../backends/routing/route-plan.js';
import type { RoutePlanner } from '../backends/routing/route-planner.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ReservedCall } from '../calls/reserved-call.js';
import type { ResponseContexts } from './response-contexts.js';
import { ResponseStreamCodec } from './response-stream-codec.js';
import { ResponseExchange, withContext } from './response-exchange.js';
import type { PriorResponse } from './response-exchange.js';
import { toResponseAnswer } from './responses.types.js';
import type { ResponseAnswer, ResponseEvent } from './responses.types.js';
import { runUnaryCall } from '../calls/unary-call.js';

/** What one call needs, once its request is checked. */
interface CheckedCall {
  readonly plan: RoutePlan;
  readonly exchange: ResponseExchange;
  begin(): Promise<OpenCall>;
}

/** What responses need. */
export interface ResponsesParts {
  readonly planner: RoutePlanner;
  readonly contexts: ResponseContexts;
  readonly recorder: CallRecorder;
  readonly log: Logger;
}

/** Responses: passed through to the model server, and continued by their id. */
export class ResponsesService {
  private readonly check: BodyCheck = compileBodySchema(
    new URL('../../../schema/rest/inference/responses.schema.json', import.meta.url),
  );

  constructor(private readonly parts: ResponsesParts) {}

  /**
   * Answers as one JSON object (specification, section 4).
   * @param continued the id of the response to continue
   * @throws BadRequest, NotFound, PayloadTooLarge where the context to continue is, Conflict,
   * BadUpstream, UpstreamTimeout, Unavailable, or the upstream's own refusal
   */
  async respond(caller: Caller, body: unknown, context: CallContext, continued?: string): Promise<ResponseAnswer> {
    const { plan, exchange, begin } = await this.prepare(caller, body, context, continued);
    const { request } = exchange;
    const { signal } = context;
    const ask = () =>
      plan.run(signal, (route) =>
        exchange.answer(route, { signal, callerId: caller.userId, traceparent: plan.traceparent }),
      );
    const { answer, usage } = await runUnaryCall({ request, begin, ask, signal, log: this.parts.log });
    const response = exchange.toPublic(answer, usage);
    await exchange.keep(response);
    return toResponseAnswer(response);
  }

  /**
   * Answers as a stream of named events. What is wrong with the request is told before the stream exists; what goes
   * wrong upstream, by its first `next()` or later.
   * @param continued the id of the response to continue
   * @throws as `respond` does
   */
  async stream(
    caller: Caller,
    body: unknown,
    context: CallContext,
    continued?: string,
  ): Promise<EventStream<ResponseEvent>> {
    const { plan, exchange, begin } = await this.prepare(caller, body, context, continued);
    const open = (signal: AbortSignal) =>
      plan.run(signal, (route) =>
        exchange.answerStream(route, { signal, callerId: caller.userId, traceparent: plan.traceparent }),
      );
    const call = { request: exchange.request, begin, open, signal: context.signal, log: this.parts.log };
    return new AnswerStream(call, new ResponseStreamCodec(exchange));
  }

  private async prepare(
    caller: Caller,
    body: unknown,
    context: CallContext,
    continued: string | undefined,
  ): Promise<CheckedCall> {
    this.check(body);
    const request = body as JsonObject;
    const prior = await this.prior(caller, request, context, continued);
    const { contexts, planner, recorder } = this.parts;
    const plan = await planner.plan(caller, {
      ...buildRouteRequest('responses', withContext(request, prior), context),
      // A response that its backend keeps is continued there and nowhere else.
      instance: prior?.context.kind === 'stored' ? prior.context.backend : undefined,
    });
    const exchange = new ResponseExchange({ caller, request, prior, contexts, key: context.byok }, plan.expected);
    context.reply.omit(exchange.omittedFields);
    const contextTokens = prior?.context.kind === 'stored' ? prior.context.tokens : undefined;
    const { request: whole } = exchange;
    const call = new ReservedCall({ operation: 'responses', request: whole, plan, context, contextTokens });
    const begin = async () => {
      const open = await call.begin(recorder, caller);
      exchange.body = call.body;
      return open;
    };
    return { plan, exchange, begin };
  }

  private async prior(
    caller: Caller,
    { previous_response_id: previous }: JsonObject,
    { byok }: CallContext,
    continued: string | undefined,
  ): Promise<PriorResponse | undefined> {
    if (continued !== undefined && typeof previous === 'string' && previous !== continued) {
      throw new BadRequest(
        'previous_response_id is another response than the one to continue.',
        'previous_response_id',
      );
    }
    const id = continued ?? (previous as string | null | undefined) ?? undefined;
    return id === undefined ? undefined : { id, context: await this.parts.contexts.find(caller, id, byok) };
  }
}
