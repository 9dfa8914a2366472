import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { KnowledgeBase, KnowledgeBaseConnection } from './knowledge-base.entity.js';
import { KnowledgeBaseInput, KnowledgeBasePatch } from './knowledge-base.inputs.js';
import type { KnowledgeBasesService } from './knowledge-bases.service.js';

/** Whoever may read knowledge bases. */
export const readRule = { credential: 'bearer', scope: 'knowledge:read' } as const;
const write = { credential: 'bearer', scope: 'knowledge:write' } as const;

/** Knowledge bases. */
@Resolver()
export class KnowledgeBaseResolver {
  constructor(private readonly service: KnowledgeBasesService) {}

  @Access(readRule)
  @Query(() => KnowledgeBaseConnection, { description: 'One’s own, and those of the tenant that are not private.' })
  knowledgeBases(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<KnowledgeBase>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(readRule)
  @Query(() => KnowledgeBase, { description: 'A knowledge base that the caller may read.' })
  knowledgeBase(
    @Arg('id', () => ID, { description: 'Of one that the caller may read.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeBase> {
    return this.service.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => KnowledgeBase, { description: 'Make a knowledge base.' })
  createKnowledgeBase(
    @Arg('input', () => KnowledgeBaseInput, { description: 'What it is.' }) input: KnowledgeBaseInput,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeBase> {
    return this.service.create(callerOf(context), input);
  }

  @Access(write)
  @Mutation(() => KnowledgeBase, { description: 'Change a knowledge base: its owner and administrators may.' })
  updateKnowledgeBase(
    @Arg('id', () => ID, { description: 'Of one that the caller may change.' }) id: string,
    @Arg('patch', () => KnowledgeBasePatch, { description: 'What is left out keeps its value.' })
    patch: KnowledgeBasePatch,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeBase> {
    return this.service.update(callerOf(context), id, patch);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Delete a knowledge base, with its files and their vectors.' })
  async deleteKnowledgeBase(
    @Arg('id', () => ID, { description: 'Of one that the caller may change.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
