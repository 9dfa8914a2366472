import { Field, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toUsage, Usage } from '../calls/usage.types.js';

/** The vector of one input. */
@ObjectType({ simpleResolvers: true, description: 'The vector of one input.' })
export class Embedding {
  @Field(() => Int, { description: 'The place of the input.' })
  index!: number;

  @Field(() => JsonScalar, { description: 'A list of numbers, or base64 of little-endian 32-bit floats.' })
  embedding!: number[] | string;
}

/** The vectors of all inputs, in their order (docs/api.md, Embeddings). */
@ObjectType({ simpleResolvers: true, description: 'The vectors of all inputs, in their order.' })
export class EmbeddingList {
  @Field(() => String, { description: 'Always `list`.' })
  object!: string;

  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => [Embedding], { description: 'One for each input.' })
  data!: Embedding[];

  @Field(() => Usage, { description: 'Tokens of the inputs.' })
  usage!: Usage;

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  raw!: JsonObject;
}

/** The typed form of the answer. */
export function toEmbeddingList(raw: JsonObject): EmbeddingList {
  return {
    object: 'list',
    model: raw.model as string,
    data: raw.data as Embedding[],
    usage: toUsage(raw.usage) as Usage,
    raw,
  };
}
