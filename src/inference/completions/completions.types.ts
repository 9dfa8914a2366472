import { Field, ID, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toUsage, Usage } from '../calls/usage.types.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** One completion of a prompt, or the next piece of it. */
@ObjectType({ simpleResolvers: true, description: 'One completion of a prompt, or the next piece of it.' })
export class CompletionChoice {
  @Field(() => Int, { description: 'Its place among the completions.' })
  index!: number;

  @Field(() => String, { description: 'The text, or the next piece of it.' })
  text!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Why it ended, such as `stop` or `length`; null while it goes on.',
  })
  finishReason!: string | null;
}

/** What whole answers and pieces of a stream have in common; never served by itself. */
@ObjectType({ simpleResolvers: true })
abstract class CompletionAnswer {
  @Field(() => ID, { description: 'The same in every piece of an answer.' })
  id!: string;

  @Field(() => String, { description: 'Always `text_completion`.' })
  object!: string;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  created!: number;

  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => [CompletionChoice], { description: 'The completions, or the next pieces of them.' })
  choices!: CompletionChoice[];

  @Field(() => Usage, {
    nullable: true,
    description: 'Tokens of the call; in a stream null but for the last piece, where it was asked for.',
  })
  usage!: Usage | null;

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  raw!: JsonObject;
}

/** A text completion (docs/api.md, Completions). */
@ObjectType({ simpleResolvers: true, description: 'A text completion.' })
export class Completion extends CompletionAnswer {}

/** One event of a streamed text completion (docs/api.md, Completions). */
@ObjectType({ simpleResolvers: true, description: 'One event of a streamed text completion.' })
export class CompletionChunk extends CompletionAnswer {}

/** The typed form of a whole answer. */
export function toCompletion(raw: JsonObject): Completion {
  return {
    id: textOr(raw.id, ''),
    object: 'text_completion',
    created: typeof raw.created === 'number' ? raw.created : 0,
    model: textOr(raw.model, ''),
    choices: objectsOf(raw.choices).map(toChoice),
    usage: toUsage(raw.usage),
    raw,
  };
}

/** The typed form of one event of a stream. */
export const toCompletionChunk: (raw: JsonObject) => CompletionChunk = toCompletion;

function toChoice(choice: JsonObject, position: number): CompletionChoice {
  return {
    index: Number.isSafeInteger(choice.index) ? (choice.index as number) : position,
    text: textOr(choice.text, ''),
    finishReason: textOr(choice.finish_reason, null),
  };
}
