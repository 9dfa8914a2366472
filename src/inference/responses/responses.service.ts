import type { Caller } from '../../access/caller.js';
import type { RequestContext } from '../../context.js';
import { BadRequest } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ConversationMemory } from '../calls/conversation-memory.js';
import type { CallContext, ExchangeType, ModelCall } from '../calls/model-call.js';
import type { Models } from '../calls/models.js';
import type { ResponseContexts } from './response-contexts.js';
import { ResponseExchange, withContext } from './response-exchange.js';
import type { PriorResponse } from './response-exchange.js';
import { toResponseAnswer } from './responses.types.js';
import type { ResponseAnswer, ResponseEvent } from './responses.types.js';

/** A call of responses whose request is checked. */
interface PreparedCall {
  readonly call: ModelCall;
  readonly type: ExchangeType<ResponseExchange>;
}

/** What responses need of their request beside what every call does. */
type ResponsesContext = CallContext & Pick<RequestContext, 'reply'>;

/** Responses: passed through to the model server, and continued by their id. */
export class ResponsesService {
  private readonly check: BodyCheck = compileBodySchema(
    new URL('../../../schema/rest/inference/responses.schema.json', import.meta.url),
  );

  constructor(
    private readonly models: Models,
    private readonly contexts: ResponseContexts,
  ) {}

  /**
   * Answers as one JSON object (docs/api.md, Responses).
   * @param continued the id of the response to continue
   * @throws BadRequest, NotFound, PayloadTooLarge where the context to continue is, as `Models.complete` does
   */
  async respond(caller: Caller, body: unknown, context: ResponsesContext, continued?: string): Promise<ResponseAnswer> {
    const { call, type } = await this.prepare(caller, body, context, continued);
    return toResponseAnswer(await this.models.complete(caller, call, type));
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
    context: ResponsesContext,
    continued?: string,
  ): Promise<EventStream<ResponseEvent>> {
    const { call, type } = await this.prepare(caller, body, context, continued);
    return this.models.stream(caller, call, type);
  }

  private async prepare(
    caller: Caller,
    body: unknown,
    context: ResponsesContext,
    continued: string | undefined,
  ): Promise<PreparedCall> {
    this.check(body);
    const given = body as JsonObject;
    const prior = await this.prior(caller, given, context, continued);
    const request = withContext(given, prior);
    const memory = new ConversationMemory(prior?.context.memory);
    const call = { caller, request, prior, contexts: this.contexts, key: context.byok, memory };
    return {
      call: { area: 'responses', request, context, memory },
      type: {
        operation: 'responses',
        // A response that its backend keeps is continued there and nowhere else.
        instance: prior?.context.kind === 'stored' ? prior.context.backend : undefined,
        create: (sent, route) => {
          const exchange = new ResponseExchange(call, sent, route);
          context.reply.omit(exchange.omittedFields);
          return exchange;
        },
      },
    };
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
    return id === undefined ? undefined : { id, context: await this.contexts.find(caller, id, byok) };
  }
}
