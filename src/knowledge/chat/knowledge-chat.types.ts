import { Field, ID, Int, ObjectType } from 'type-graphql';
import {
  ChatCompletion,
  ChatCompletionChunk,
  toChatCompletion,
  toChatCompletionChunk,
} from '../../inference/domain.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { RawCitation } from './citation-verifier.js';

/** What a sentence of an answer is taken from. */
@ObjectType({ simpleResolvers: true, description: 'What a sentence of an answer is taken from.' })
export class Citation {
  @Field(() => Int, { description: 'The number that stands behind the sentence, in square brackets.' })
  index!: number;

  @Field(() => ID, { description: 'The file that it stands in.' })
  fileId!: string;

  @Field(() => String, { description: 'What the file is called.' })
  filename!: string;

  @Field(() => Int, { nullable: true, description: 'From 1; null where the format has no pages.' })
  page!: number | null;

  @Field(() => ID, { description: 'The passage that it stands in.' })
  chunkId!: string;

  @Field(() => String, { description: 'What supports the sentence, as it stands in the passage.' })
  quote!: string;
}

/** A chat completion from knowledge bases. */
@ObjectType({ simpleResolvers: true, description: 'A chat completion from knowledge bases.' })
export class KnowledgeChatCompletion extends ChatCompletion {
  @Field(() => [Citation], { description: 'What its sentences are taken from; each was found there by the server.' })
  citations!: Citation[];
}

/** One event of a streamed chat completion from knowledge bases. */
@ObjectType({ simpleResolvers: true, description: 'One event of a streamed chat completion from knowledge bases.' })
export class KnowledgeChatChunk extends ChatCompletionChunk {
  @Field(() => [Citation], {
    nullable: true,
    description: 'What the sentences are taken from, in the piece behind the last text; null in all others.',
  })
  citations!: Citation[] | null;
}

/** The typed form of a whole answer. */
export function toKnowledgeChatCompletion(raw: JsonObject): KnowledgeChatCompletion {
  return { ...toChatCompletion(raw), citations: citationsOf(raw) ?? [] };
}

/** The typed form of one event of a stream. */
export function toKnowledgeChatChunk(raw: JsonObject): KnowledgeChatChunk {
  return { ...toChatCompletionChunk(raw), citations: citationsOf(raw) };
}

function citationsOf({ citations }: JsonObject): Citation[] | null {
  const found = citations as readonly RawCitation[] | undefined;
  return (
    found?.map(({ index, file_id: fileId, filename, page, chunk_id: chunkId, quote }) => ({
      index,
      fileId,
      filename,
      page,
      chunkId,
      quote,
    })) ?? null
  );
}
