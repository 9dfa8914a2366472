import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** How passages are looked for. */
export const SearchMode = { hybrid: 'hybrid', vector: 'vector', keyword: 'keyword' } as const;
/** One of them. */
export type SearchMode = keyof typeof SearchMode;

registerEnumType(SearchMode, {
  name: 'SearchMode',
  description: 'How passages are looked for.',
  valuesConfig: {
    hybrid: { description: 'By keywords and by vectors: what both find comes first.' },
    vector: { description: 'By vectors alone. `score` is the cosine of the two, from -1 to 1.' },
    keyword: { description: 'By keywords alone, in their basic forms.' },
  },
});

/** A passage that was found. */
@ObjectType({ simpleResolvers: true, description: 'A passage that was found.' })
export class FoundPassage {
  @Field(() => ID, { description: 'Begins with `chk_`; another one when the file is indexed anew.' })
  chunkId!: string;

  @Field(() => ID, { description: 'The file that it stands in.' })
  fileId!: string;

  @Field(() => ID, { description: 'The knowledge base of the file.' })
  knowledgebaseId!: string;

  @Field(() => String, { description: 'What the file is called.' })
  filename!: string;

  @Field(() => String, { description: 'What it says.' })
  text!: string;

  @Field(() => Float, {
    description: 'How well it fits, the higher the better; compared within one answer and mode alone.',
  })
  score!: number;

  @Field(() => Int, { nullable: true, description: 'From 1; null where the format has no pages.' })
  page!: number | null;

  @Field(() => Int, {
    description: 'Where it begins in the text of its page, or of the file where that has no pages; in UTF-16 units.',
  })
  start!: number;

  @Field(() => Int, { description: 'Behind its last unit.' })
  end!: number;

  @Field(() => [String], { description: 'The titles of the sections that it stands in, the highest first.' })
  headings!: string[];

  @Field(() => JsonScalar, { description: 'That of the file.' })
  metadata!: JsonObject;
}

/** What a query has found. */
@ObjectType({ simpleResolvers: true, description: 'What a query has found.' })
export class KnowledgeQueryResult {
  @Field(() => String, { description: 'Always `knowledgebase.query`.' })
  readonly object = 'knowledgebase.query';

  @Field(() => [FoundPassage], { description: 'The best first.' })
  data!: FoundPassage[];
}
