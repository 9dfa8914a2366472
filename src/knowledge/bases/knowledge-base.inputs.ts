import { Field, InputType } from 'type-graphql';

/** A knowledge base that is to be made. */
@InputType({ description: 'A knowledge base that is to be made.' })
export class KnowledgeBaseInput {
  @Field(() => String, { description: '1 to 200 characters; others may have the same.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'At most 2,000 characters; empty by default.' })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True by default.' })
  isPrivate?: boolean | null;

  @Field(() => String, { nullable: true, description: 'The public name of a model for embeddings.' })
  embeddingModel?: string | null;
}

/** What may be changed about a knowledge base; a field that is left out keeps its value, and none may be null. */
@InputType({ description: 'What is left out keeps its value.' })
export class KnowledgeBasePatch {
  @Field(() => String, { nullable: true, description: '1 to 200 characters.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 2,000 characters.' })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'A change holds when this is answered.' })
  isPrivate?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Another one has all files indexed anew; until that is done, queries use the index that is there.',
  })
  embeddingModel?: string | null;
}
