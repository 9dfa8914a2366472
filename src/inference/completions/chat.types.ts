import { Field, ID, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { isJsonObject, objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toUsage, Usage } from '../calls/usage.types.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** What a model said, or the next piece of it. */
@ObjectType({ simpleResolvers: true, description: 'What a model said, or the next piece of it.' })
export class ChatMessage {
  @Field(() => String, { nullable: true, description: 'Who speaks: `assistant`; null in later pieces.' })
  role!: string | null;

  @Field(() => String, { nullable: true, description: 'The text, or the next piece of it; null where there is none.' })
  content!: string | null;

  @Field(() => [JsonScalar], { nullable: true, description: 'Calls of tools, as the model server writes them.' })
  toolCalls!: JsonObject[] | null;
}

/** One answer of a chat completion. */
@ObjectType({ simpleResolvers: true, description: 'One answer of a chat completion.' })
export class ChatChoice {
  @Field(() => Int, { description: 'Its place among the answers.' })
  index!: number;

  @Field(() => ChatMessage, { description: 'What the model said.' })
  message!: ChatMessage;

  @Field(() => String, {
    nullable: true,
    description: 'Why the answer ended, such as `stop`, `length` or `tool_calls`.',
  })
  finishReason!: string | null;
}

/** The next piece of one answer. */
@ObjectType({ simpleResolvers: true, description: 'The next piece of one answer.' })
export class ChatChunkChoice {
  @Field(() => Int, { description: 'Its place among the answers.' })
  index!: number;

  @Field(() => ChatMessage, { description: 'The next piece.' })
  delta!: ChatMessage;

  @Field(() => String, { nullable: true, description: 'Why the answer ended; null while it goes on.' })
  finishReason!: string | null;
}

/** What whole answers and pieces of a stream have in common; never served by itself. */
@ObjectType({ simpleResolvers: true })
abstract class ChatAnswer {
  @Field(() => ID, { description: 'The same in every piece of an answer.' })
  id!: string;

  @Field(() => String, { description: '`chat.completion`, or `chat.completion.chunk` for a piece.' })
  object!: string;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  created!: number;

  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => Usage, {
    nullable: true,
    description: 'Tokens of the call; in a stream null but for the last piece, where it was asked for.',
  })
  usage!: Usage | null;

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  raw!: JsonObject;
}

/** A chat completion (docs/api.md, Chat completions). */
@ObjectType({ simpleResolvers: true, description: 'A chat completion.' })
export class ChatCompletion extends ChatAnswer {
  @Field(() => [ChatChoice], { description: 'The answers.' })
  choices!: ChatChoice[];
}

/** One event of a streamed chat completion (docs/api.md, Streams). */
@ObjectType({ simpleResolvers: true, description: 'One event of a streamed chat completion.' })
export class ChatCompletionChunk extends ChatAnswer {
  @Field(() => [ChatChunkChoice], { description: 'The next pieces of the answers; none in the piece with the usage.' })
  choices!: ChatChunkChoice[];
}

/** The typed form of a whole answer. */
export function toChatCompletion(raw: JsonObject): ChatCompletion {
  const choices = objectsOf(raw.choices).map((choice, position) => ({
    ...toChoice(choice, position),
    message: toMessage(choice.message),
  }));
  return { ...toAnswer(raw), object: 'chat.completion', choices };
}

/** The typed form of one event of a stream. */
export function toChatCompletionChunk(raw: JsonObject): ChatCompletionChunk {
  const choices = objectsOf(raw.choices).map((choice, position) => ({
    ...toChoice(choice, position),
    delta: toMessage(choice.delta),
  }));
  return { ...toAnswer(raw), object: 'chat.completion.chunk', choices };
}

function toAnswer(raw: JsonObject): Omit<ChatAnswer, 'object'> {
  return {
    id: textOr(raw.id, ''),
    created: typeof raw.created === 'number' ? raw.created : 0,
    model: textOr(raw.model, ''),
    usage: toUsage(raw.usage),
    raw,
  };
}

function toChoice(choice: JsonObject, position: number): Pick<ChatChoice, 'index' | 'finishReason'> {
  return {
    index: Number.isSafeInteger(choice.index) ? (choice.index as number) : position,
    finishReason: textOr(choice.finish_reason, null),
  };
}

function toMessage(value: unknown): ChatMessage {
  const message = isJsonObject(value) ? value : {};
  return {
    role: textOr(message.role, null),
    content: textOr(message.content, null),
    toolCalls: Array.isArray(message.tool_calls) ? objectsOf(message.tool_calls) : null,
  };
}
