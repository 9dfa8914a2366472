import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Access, callerOf } from '../graph/access.js';
import { PageArgs } from '../graph/connection.js';
import type { Connection } from '../graph/connection.js';
import { ApiToken, ApiTokenConnection } from './api-token.entity.js';
import { CreateApiTokenInput } from './api-token.inputs.js';
import type { ApiTokensService } from './api-tokens.service.js';
import { Success } from './auth.types.js';

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
  @Query(() => ApiToken)
  apiToken(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<ApiToken> {
    return this.service.get(callerOf(context), id);
  }

  @Access(apiTokenRule)
  @Mutation(() => ApiToken, { description: 'Make a personal access token; its `token` is told once.' })
  createApiToken(
    @Arg('input', () => CreateApiTokenInput) input: CreateApiTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<ApiToken> {
    return this.service.create(callerOf(context), input);
  }

  @Access(apiTokenRule)
  @Mutation(() => ApiToken, { description: 'Exchange the secret; the old one works until the grace ends.' })
  rotateApiToken(
    @Arg('id', () => ID) id: string,
    @Ctx() context: RequestContext,
    @Arg('graceSeconds', () => Int, { nullable: true, description: '0 to 86,400; 3,600 by default.' })
    graceSeconds?: number | null,
  ): Promise<ApiToken> {
    return this.service.rotate(callerOf(context), id, graceSeconds);
  }

  @Access(apiTokenRule)
  @Mutation(() => Success, { description: 'Delete a personal access token, which ends it at once.' })
  async deleteApiToken(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<Success> {
    await this.service.delete(callerOf(context), id);
    return { success: true };
  }
}
