import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { BadRequest } from '../../errors.js';
import type { CredibilityService } from '../credibility/credibility.service.js';
import { WebSearchAnswer } from './web-search.types.js';
import type { WebSearch } from './web-search.js';

const MAX_QUERY = 1_000;
const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 10;

/** Searches of the web. */
@Resolver()
export class WebSearchResolver {
  constructor(
    private readonly web: WebSearch,
    private readonly credibility: Pick<CredibilityService, 'scoresOf'>,
  ) {}

  // It costs the operator's money, and nobody's quota.
  @Access({ credential: 'bearer', scope: 'researcher:write', rateLimited: true, stateless: true })
  @Query(() => WebSearchAnswer, { description: 'The pages of the web that fit a query best.' })
  async searchWeb(
    @Arg('query', () => String, { description: 'A question or some words, 1 to 1,000 characters.' }) query: string,
    @Ctx() context: RequestContext,
    @Arg('maxResults', () => Int, { nullable: true, description: '1 to 50; 10 by default.' })
    maxResults?: number | null,
  ): Promise<WebSearchAnswer> {
    const { signal } = context;
    const wanted = checkedCount(maxResults ?? DEFAULT_RESULTS);
    const text = checkedQuery(query);
    this.web.requireProvider();
    const caller = callerOf(context);
    const scores = await this.credibility.scoresOf(caller);
    const results = await this.web.search({ query: text, maxResults: wanted, scores, owner: caller.userId, signal });
    return { object: 'researcher.search', query, results };
  }
}

/** @throws BadRequest */
function checkedCount(count: number): number {
  if (count >= 1 && count <= MAX_RESULTS) return count;
  throw new BadRequest(`maxResults must be from 1 to ${MAX_RESULTS}.`, 'maxResults');
}

/** @throws BadRequest */
function checkedQuery(query: string): string {
  const text = query.trim().toWellFormed();
  const length = [...text].length;
  if (length >= 1 && length <= MAX_QUERY) return text;
  throw new BadRequest(`query must have 1 to ${MAX_QUERY} characters.`, 'query');
}
