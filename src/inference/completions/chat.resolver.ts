import { Arg, Ctx, Mutation, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { EventStream } from '../../graph/event-stream.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Models } from '../calls/models.js';
import { CHAT } from './chat.operation.js';
import { ChatCompletion, ChatCompletionChunk, toChatCompletion } from './chat.types.js';

const rule = { credential: 'bearer', scope: 'chat:write', rateLimited: true, metered: 'chat', byok: true } as const;

/** Chat completions. */
@Resolver()
export class ChatResolver {
  constructor(private readonly models: Models) {}

  @Access(rule)
  @Mutation(() => ChatCompletion, {
    description: 'Answers a conversation; `body` is that of POST /v1/chat/completions.',
  })
  async createChatCompletion(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request, without `stream`.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<ChatCompletion> {
    const call = { area: 'chat', request: body as JsonObject, context } as const;
    return toChatCompletion(await this.models.complete(callerOf(context), call, CHAT));
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
    const call = { area: 'chat', request: body as JsonObject, context } as const;
    return this.models.stream(callerOf(context), call, CHAT);
  }
}
