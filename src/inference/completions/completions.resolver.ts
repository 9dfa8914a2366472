import { Arg, Ctx, Mutation, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { CompletionService } from './completion.service.js';
import { Completion, CompletionChunk } from './completions.types.js';

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
  constructor(private readonly completions: CompletionService<Completion, CompletionChunk>) {}

  @Access(rule)
  @Mutation(() => Completion, { description: 'Completes a text; `body` is that of POST /v1/completions.' })
  createCompletion(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<Completion> {
    return this.completions.complete(callerOf(context), body, context);
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
    return this.completions.stream(callerOf(context), body, context);
  }
}
