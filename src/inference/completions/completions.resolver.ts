import { Arg, Ctx, Mutation, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Models } from '../calls/models.js';
import { COMPLETIONS } from './completions.operation.js';
import { Completion, CompletionChunk, toCompletion } from './completions.types.js';

const rule = {
  credential: 'bearer',
  scope: 'completions:write',
  rateLimited: true,
  metered: 'completions',
  byok: true,
} as const;

/** Text completions. */
@Resolver()
export class CompletionsResolver {
  constructor(private readonly models: Models) {}

  @Access(rule)
  @Mutation(() => Completion, { description: 'Completes a text; `body` is that of POST /v1/completions.' })
  async createCompletion(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<Completion> {
    const call = { area: 'completions', request: body as JsonObject, context } as const;
    return toCompletion(await this.models.complete(callerOf(context), call, COMPLETIONS));
  }

  @Access(rule)
  @Subscription(() => CompletionChunk, {
    topics: 'unused',
    description: 'Completes a text piece by piece; `body` is that of POST /v1/completions.',
  })
  completionStream(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<EventStream<CompletionChunk>> {
    const call = { area: 'completions', request: body as JsonObject, context } as const;
    return this.models.stream(callerOf(context), call, COMPLETIONS);
  }
}
