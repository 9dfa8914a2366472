import { Arg, Ctx, Mutation, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { ChatCompletion, ChatCompletionChunk } from './chat.types.js';
import type { CompletionService } from './completion.service.js';

const rule = { credential: 'bearer', scope: 'chat:write', rateLimited: true, metered: 'chat', byok: true } as const;

/** Chat completions. */
@Resolver()
export class ChatResolver {
  constructor(private readonly chat: CompletionService<ChatCompletion, ChatCompletionChunk>) {}

  @Access(rule)
  @Mutation(() => ChatCompletion, {
    description: 'Answers a conversation; `body` is that of POST /v1/chat/completions.',
  })
  createChatCompletion(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<ChatCompletion> {
    return this.chat.complete(callerOf(context), body, context);
  }

  @Access(rule)
  @Subscription(() => ChatCompletionChunk, {
    topics: 'unused',
    description: 'Answers a conversation piece by piece; `body` is that of POST /v1/chat/completions.',
  })
  chatCompletionStream(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<EventStream<ChatCompletionChunk>> {
    return this.chat.stream(callerOf(context), body, context);
  }
}
