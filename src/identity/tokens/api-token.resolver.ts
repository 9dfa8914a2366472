import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { PageArgs } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import type { Connection } from '../../graph/connection.js';
import { ApiToken, ApiTokenConnection } from './api-token.entity.js';
import { CreateApiTokenInput } from './api-token.inputs.js';
import type { ApiTokensService } from './api-tokens.service.js';

/** Who may see and make personal access tokens: their user, signed in; such a token cannot make another. */
export const apiTokenRule = { credential: 'jwt' } as const;

/** The personal access tokens of the caller. */
@Resolver(() => ApiToken)
export class ApiTokenResolver {
  constructor(private readonly service: ApiTokensService) {}

  @Access(apiTokenRule)
  @Query(() => ApiTokenConnection, { description: "The caller's personal access tokens." })
  apiTokens(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<Connection<ApiToken>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(apiTokenRule)
  @Query(() => ApiToken, { description: 'A personal access token of the caller.' })
  apiToken(
    @Arg('id', () => ID, { description: "One of the caller's own." }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ApiToken> {
    return this.service.get(callerOf(context), id);
  }

  @Access(apiTokenRule)
  @Mutation(() => ApiToken, { description: 'Make a personal access token; its `token` is told once.' })
  createApiToken(
    @Arg('input', () => CreateApiTokenInput, { description: 'What the token may be used for, and for how long.' })
    input: CreateApiTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<ApiToken> {
    return this.service.create(callerOf(context), input);
  }

  @Access(apiTokenRule)
  @Mutation(() => ApiToken, { description: 'Exchange the secret; the old one works until the grace ends.' })
  rotateApiToken(
    @Arg('id', () => ID, { description: 'The token whose secret is exchanged.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('graceSeconds', () => Int, { nullable: true, description: '0 to 86,400; 3,600 by default.' })
    graceSeconds?: number | null,
  ): Promise<ApiToken> {
    return this.service.rotate(callerOf(context), id, graceSeconds);
  }

  @Access(apiTokenRule)
  @Mutation(() => Deletion, { description: 'Delete a personal access token, which ends it at once.' })
  async deleteApiToken(
    @Arg('id', () => ID, { description: 'The token to delete.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
