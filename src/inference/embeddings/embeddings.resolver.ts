import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Models } from '../calls/models.js';
import { EmbeddingList, toEmbeddingList } from './embeddings.types.js';

/** Embeddings. */
@Resolver()
export class EmbeddingsResolver {
  constructor(private readonly models: Models) {}

  @Access({ credential: 'bearer', scope: 'embeddings:write', rateLimited: true, metered: 'embeddings', byok: true })
  @Mutation(() => EmbeddingList, { description: 'Vectors of texts; `body` is that of POST /v1/embeddings.' })
  async createEmbeddings(
    @Arg('body', () => JsonScalar, { description: 'The body of the REST request.' }) body: unknown,
    @Ctx() context: RequestContext,
  ): Promise<EmbeddingList> {
    const call = { area: 'embeddings', request: body as JsonObject, context } as const;
    return toEmbeddingList(await this.models.embed(callerOf(context), call));
  }
}
