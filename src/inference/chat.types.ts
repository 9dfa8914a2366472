import { Field, Float, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../graph/json.scalar.js';
import { isJsonObject, objectsOf } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { toUsage, Usage } from './usage.types.js';

/** What a model said, or the next piece of it. */
@ObjectType({ simpleResolvers: true, description: 'What a model said, or the next piece of it.' })
export class ChatMessage {
  @Field(() => String, { nullable: true })
  role!: string | null;

  @Field(() => String, { nullable: true })
  content!: string | null;

  @Field(() => [JsonScalar], { nullable: true, description: 'Calls of tools, as the model server writes them.' })
  toolCalls!: JsonObject[] | null;
}

/** One answer of a chat completion. */
@ObjectType({ simpleResolvers: true, description: 'One answer of a chat completion.' })
export class ChatChoice {
  @Field(() => Int)
  index!: number;

  @Field(() => ChatMessage)
  message!: ChatMessage;

  @Field(() => String, { nullable: true })
  finishReason!: string | null;
}

/** The next piece of one answer. */
@ObjectType({ simpleResolvers: true, description: 'The next piece of one answer.' })
export class ChatChunkChoice {
  @Field(() => Int)
  index!: number;

  @Field(() => ChatMessage)
  delta!: ChatMessage;

  @Field(() => String, { nullable: true })
  finishReason!: string | null;
}

/** What whole answers and pieces of a stream have in common. The typed members are read from `raw` when asked for. */
@ObjectType({ isAbstract: true, simpleResolvers: true })
abstract class RawAnswer {
  constructor(answer: JsonObject) {
    this.raw = answer;
  }

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  readonly raw: JsonObject;

  @Field(() => String)
  get id(): string {
    return textOr(this.raw.id, '');
  }

  @Field(() => Float, { description: 'Unix seconds.' })
  get created(): number {
    return typeof this.raw.created === 'number' ? this.raw.created : 0;
  }

  @Field(() => String, { description: 'The public name of the model.' })
  get model(): string {
    return textOr(this.raw.model, '');
  }

  @Field(() => Usage, { nullable: true })
  get usage(): Usage | null {
    return toUsage(this.raw.usage);
  }
}

/** A chat completion (specification, section 2). */
@ObjectType({ simpleResolvers: true, description: 'A chat completion.' })
export class ChatCompletion extends RawAnswer {
  @Field(() => String, { description: 'Always `chat.completion`.' })
  get object(): string {
    return 'chat.completion';
  }

  @Field(() => [ChatChoice])
  get choices(): ChatChoice[] {
    return objectsOf(this.raw.choices).map((choice, position) => ({
      index: indexOf(choice, position),
      message: toMessage(choice.message),
      finishReason: textOr(choice.finish_reason, null),
    }));
  }
}

/** One event of a streamed chat completion (specification, section 6). */
@ObjectType({ simpleResolvers: true, description: 'One event of a streamed chat completion.' })
export class ChatCompletionChunk extends RawAnswer {
  @Field(() => String, { description: 'Always `chat.completion.chunk`.' })
  get object(): string {
    return 'chat.completion.chunk';
  }

  @Field(() => [ChatChunkChoice])
  get choices(): ChatChunkChoice[] {
    return objectsOf(this.raw.choices).map((choice, position) => ({
      index: indexOf(choice, position),
      delta: toMessage(choice.delta),
      finishReason: textOr(choice.finish_reason, null),
    }));
  }
}

function toMessage(value: unknown): ChatMessage {
  const message = isJsonObject(value) ? value : {};
  return {
    role: textOr(message.role, null),
    content: textOr(message.content, null),
    toolCalls: Array.isArray(message.tool_calls) ? objectsOf(message.tool_calls) : null,
  };
}

function indexOf(choice: JsonObject, position: number): number {
  return Number.isSafeInteger(choice.index) ? (choice.index as number) : position;
}

function textOr<T extends string | null>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
