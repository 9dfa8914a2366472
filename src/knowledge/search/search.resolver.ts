import { Arg, Ctx, Float, ID, Int, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { requireStorable } from '../../platform/json/storable-json.js';
import type { KnowledgeSearch } from './knowledge-search.js';
import { KnowledgeQueryResult, SearchMode } from './search.types.js';

/** Queries of knowledge bases. */
@Resolver()
export class SearchResolver {
  constructor(private readonly passages: KnowledgeSearch) {}

  @Access({ credential: 'bearer', scope: 'knowledge:read', rateLimited: true, metered: 'knowledge', stateless: true })
  @Query(() => KnowledgeQueryResult, { description: 'The passages of a knowledge base that fit a query best.' })
  async queryKnowledgeBase(
    @Arg('id', () => ID, { description: 'Of one that the caller may read.' }) id: string,
    @Arg('query', () => String, { description: 'A question or some words, at most 10,000 characters.' }) query: string,
    @Ctx() context: RequestContext,
    @Arg('topK', () => Int, { nullable: true, description: '1 to 100; 8 by default.' }) topK?: number | null,
    @Arg('mode', () => SearchMode, {
      nullable: true,
      description: '`hybrid` by default; `keyword` where the database has no vectors.',
    })
    mode?: SearchMode | null,
    @Arg('minScore', () => Float, { nullable: true, description: 'What scores less is left out.' })
    minScore?: number | null,
    @Arg('filter', () => JsonScalar, {
      nullable: true,
      description: 'An object whose members the metadata of files must have.',
    })
    filter?: unknown,
  ): Promise<KnowledgeQueryResult> {
    const wanted = filter === undefined || filter === null ? undefined : requireStorable(filter, 'filter');
    const request = { query, topK, mode, minScore, filter: wanted };
    const data = await this.passages.search(callerOf(context), [id], request, context);
    return { object: 'knowledgebase.query', data };
  }
}
