import { Arg, Ctx, Mutation, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { KnowledgeChat } from './knowledge-chat.js';
import { KnowledgeChatChunk, KnowledgeChatCompletion, toKnowledgeChatCompletion } from './knowledge-chat.types.js';

const rule = {
  credential: 'bearer',
  scope: 'chat:write',
  alsoScope: 'knowledge:read',
  rateLimited: true,
  metered: 'knowledge',
  byok: true,
} as const;

/** Chats with knowledge bases. */
@Resolver()
export class KnowledgeChatResolver {
  constructor(private readonly chat: KnowledgeChat) {}

  @Access(rule)
  @Mutation(() => KnowledgeChatCompletion, {
    description: 'Answers from knowledge bases; `body` is that of POST /v1/knowledgebase/chat/completions.',
  })
  async createKnowledgeChat(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeChatCompletion> {
    return toKnowledgeChatCompletion(await this.chat.complete(callerOf(context), body, context));
  }

  @Access(rule)
  @Subscription(() => KnowledgeChatChunk, {
    topics: 'unused',
    description:
      'Answers from knowledge bases piece by piece; `body` is that of POST /v1/knowledgebase/chat/completions.',
  })
  knowledgeChatStream(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<EventStream<KnowledgeChatChunk>> {
    return this.chat.stream(callerOf(context), body, context);
  }
}
