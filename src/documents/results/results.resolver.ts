import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import { readRule } from '../sessions/document-session.resolver.js';
import type { ResultsService } from './results.service.js';
import { ResultFormat } from './results.types.js';

/** The results of sessions. */
@Resolver()
export class ResultsResolver {
  constructor(private readonly service: ResultsService) {}

  @Access(readRule)
  @Query(() => Blob, {
    description:
      'Where the results of a session are fetched, as far as they are: `complete` says whether all is reviewed.',
  })
  documentResults(
    @Arg('sessionId', () => ID, { description: 'The session.' }) sessionId: string,
    @Ctx() context: RequestContext,
    @Arg('format', () => ResultFormat, { nullable: true, description: '`json` by default.' })
    format?: ResultFormat | null,
  ): Promise<Blob> {
    return this.service.address(callerOf(context), sessionId, format ?? 'json');
  }
}
