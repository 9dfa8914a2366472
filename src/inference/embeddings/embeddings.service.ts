import type { Caller } from '../../access/caller.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { CallContext } from '../calls/model-call.js';
import type { Models } from '../calls/models.js';
import { toUsage } from '../calls/usage.types.js';
import type { Usage } from '../calls/usage.types.js';
import { inputsOf } from './embedding-exchange.js';
import type { Embedding, EmbeddingList } from './embeddings.types.js';

/** Vectors of texts, by whichever backend serves the model. Nothing is kept. */
export class EmbeddingsService {
  private readonly check: BodyCheck = compileBodySchema(
    new URL('../../../schema/rest/inference/embeddings.schema.json', import.meta.url),
  );

  constructor(private readonly models: Models) {}

  /**
   * Answers the vectors of all inputs, in their order, or none of them.
   * @throws BadRequest that names the field; otherwise as `Models.embed` does
   */
  async embed(caller: Caller, body: unknown, context: CallContext): Promise<EmbeddingList> {
    this.check(body);
    const request = body as JsonObject;
    // Before anybody looks for the model.
    inputsOf(request.input);
    const raw = await this.models.embed(caller, { area: 'embeddings', request, context });
    return {
      object: 'list',
      model: raw.model as string,
      data: raw.data as Embedding[],
      usage: toUsage(raw.usage) as Usage,
      raw,
    };
  }
}
