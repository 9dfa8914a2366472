import { Arg, Ctx, ID, Mutation, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { ResponsesService } from './responses.service.js';
import { ResponseAnswer, ResponseEvent } from './responses.types.js';

const rule = {
  credential: 'bearer',
  scope: 'responses:write',
  rateLimited: true,
  metered: 'responses',
  byok: true,
} as const;

/** Responses, and their continuation. */
@Resolver()
export class ResponsesResolver {
  constructor(private readonly responses: ResponsesService) {}

  @Access(rule)
  @Mutation(() => ResponseAnswer, { description: 'Answers an input; `body` is that of POST /v1/responses.' })
  createResponse(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<ResponseAnswer> {
    return this.responses.respond(callerOf(context), body, context);
  }

  @Access(rule)
  @Mutation(() => ResponseAnswer, {
    description: 'Continues a response; `body` is that of POST /v1/responses/{resp_id}/continue.',
  })
  continueResponse(
    @Arg('id', () => ID, { description: 'The response to continue.' }) id: string,
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<ResponseAnswer> {
    return this.responses.respond(callerOf(context), body, context, id);
  }

  @Access(rule)
  @Subscription(() => ResponseEvent, {
    topics: 'unused',
    description: 'Answers an input event by event, or continues the response with this `id`.',
  })
  responseStream(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { nullable: true, description: 'The response to continue, if one is.' }) id?: string | null,
  ): Promise<EventStream<ResponseEvent>> {
    return this.responses.stream(callerOf(context), body, context, id ?? undefined);
  }
}
