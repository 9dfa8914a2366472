import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { readRule, writeRule } from '../sessions/document-session.resolver.js';
import type { BulkReview } from './bulk-review.js';
import { DocumentValue, ReviewItemConnection, ValueStatus } from './document-value.entity.js';
import { versionOf } from './resolution.js';
import { BulkResolution, BulkResolutionItem, ResolutionInput, ReviewAction, ReviewFilter } from './review.inputs.js';
import type { ReviewService } from './review.service.js';

const SESSION = { description: 'The session.' };

/** Values that people check. */
@Resolver()
export class ReviewResolver {
  constructor(
    private readonly service: ReviewService,
    private readonly bulk: BulkReview,
  ) {}

  @Access(readRule)
  @Query(() => ReviewItemConnection, { description: 'The values of a session that wait for a person, or had to.' })
  reviewItems(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Arg('status', () => ValueStatus, {
      nullable: true,
      description: 'Those alone; all that were ever reviewed otherwise.',
    })
    status?: ValueStatus | null,
  ): Promise<Connection<DocumentValue>> {
    return this.service.list(callerOf(context), sessionId, page, status);
  }

  @Access(writeRule)
  @Mutation(() => [DocumentValue], {
    description: 'Take items that wait, so that nobody else gets them for a while; first those that one has already.',
  })
  claimReviewItems(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Ctx() context: RequestContext,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100; 10 by default.' }) limit?: number | null,
    @Arg('seconds', () => Int, { nullable: true, description: '10 to 3,600; 300 by default.' }) seconds?: number | null,
  ): Promise<DocumentValue[]> {
    return this.service.claim(callerOf(context), sessionId, { limit, seconds });
  }

  @Access(writeRule)
  @Mutation(() => DocumentValue, { description: 'Say what is right. The last item that waited completes the session.' })
  resolveReviewItem(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Arg('id', () => ID, { description: 'One of its items.' }) id: string,
    @Arg('resolution', () => ResolutionInput, { description: 'What is said of it.' }) resolution: ResolutionInput,
    @Ctx() context: RequestContext,
    @Arg('ifMatch', () => String, {
      nullable: true,
      description: 'The version as an entity tag, such as `"3"`, where the resolution names none.',
    })
    ifMatch?: string | null,
  ): Promise<DocumentValue> {
    const version = resolution.version ?? versionOf(ifMatch);
    return this.service.resolve(callerOf(context), sessionId, id, { ...resolution, version });
  }

  @Access(writeRule)
  @Mutation(() => BulkResolution, {
    description:
      'Say what is right of many items, each or not at all: of up to 1,000 that are named, or of all that fit.',
  })
  bulkResolveReviewItems(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Ctx() context: RequestContext,
    @Arg('items', () => [BulkResolutionItem], {
      nullable: true,
      description: 'Either these, or `action` and `filter`.',
    })
    items?: BulkResolutionItem[] | null,
    @Arg('action', () => ReviewAction, { nullable: true, description: 'Of all items that fit; not `correct`.' })
    action?: ReviewAction | null,
    @Arg('filter', () => ReviewFilter, { nullable: true, description: 'Which items; `{}`: all that wait.' })
    filter?: ReviewFilter | null,
  ): Promise<BulkResolution> {
    return this.bulk.resolve(callerOf(context), sessionId, { items, action, filter });
  }
}
