import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { CredibilityConfig, CredibilityConfigConnection } from './credibility-config.entity.js';
import { CredibilityConfigInput, CredibilityConfigPatch } from './credibility-config.inputs.js';
import type { CredibilityService } from './credibility.service.js';

const read = { credential: 'bearer', scope: 'researcher:read' } as const;
const write = {
  credential: 'bearer',
  scope: 'researcher:write',
  alsoScope: 'admin:write',
  privilege: 'admin',
} as const;

const ID_ARG = { description: 'Of one of the caller’s tenant.' };

/** How credible sources are: everybody of a tenant reads it, its administrators say it. */
@Resolver()
export class CredibilityResolver {
  constructor(private readonly service: CredibilityService) {}

  @Access(read)
  @Query(() => CredibilityConfigConnection, { description: 'The configurations of credibility of the tenant.' })
  credibilityConfigs(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<CredibilityConfig>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(read)
  @Query(() => CredibilityConfig, { description: 'A configuration of credibility of the tenant.' })
  credibilityConfig(
    @Arg('id', () => ID, ID_ARG) id: string,
    @Ctx() context: RequestContext,
  ): Promise<CredibilityConfig> {
    return this.service.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => CredibilityConfig, { description: 'Make a configuration of credibility. The first is the default.' })
  createCredibilityConfig(
    @Arg('input', () => CredibilityConfigInput, { description: 'What it says.' }) input: CredibilityConfigInput,
    @Ctx() context: RequestContext,
  ): Promise<CredibilityConfig> {
    return this.service.create(callerOf(context), input);
  }

  @Access(write)
  @Mutation(() => CredibilityConfig, { description: 'Change a configuration of credibility.' })
  updateCredibilityConfig(
    @Arg('id', () => ID, ID_ARG) id: string,
    @Arg('patch', () => CredibilityConfigPatch, { description: 'What is left out keeps its value.' })
    patch: CredibilityConfigPatch,
    @Ctx() context: RequestContext,
  ): Promise<CredibilityConfig> {
    return this.service.update(callerOf(context), id, patch);
  }

  @Access(write)
  @Mutation(() => CredibilityConfig, { description: 'Make a configuration the default of the tenant.' })
  setDefaultCredibilityConfig(
    @Arg('id', () => ID, ID_ARG) id: string,
    @Ctx() context: RequestContext,
  ): Promise<CredibilityConfig> {
    return this.service.makeDefault(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => Deletion, {
    description: 'Delete a configuration of credibility; the default only when it is the last.',
  })
  async deleteCredibilityConfig(
    @Arg('id', () => ID, ID_ARG) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
