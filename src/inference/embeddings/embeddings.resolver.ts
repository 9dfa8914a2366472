import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { EmbeddingsService } from './embeddings.service.js';
import { EmbeddingList } from './embeddings.types.js';

/** Embeddings. */
@Resolver()
export class EmbeddingsResolver {
  constructor(private readonly embeddings: EmbeddingsService) {}

  @Access({ credential: 'bearer', scope: 'embeddings:write', rateLimited: true, metered: 'embeddings', byok: true })
  @Mutation(() => EmbeddingList, { description: 'Vectors of texts; `body` is that of POST /v1/embeddings.' })
  createEmbeddings(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<EmbeddingList> {
    return this.embeddings.embed(callerOf(context), body, context);
  }
}
