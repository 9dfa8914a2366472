import { Field, ID, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toUsage, Usage } from '../calls/usage.types.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** An answer that can be continued by its id (docs/api.md, Responses). */
@ObjectType('Response', { simpleResolvers: true, description: 'An answer that can be continued by its id.' })
export class ResponseAnswer {
  @Field(() => ID, { description: 'The `id` of `continueResponse`.' })
  id!: string;

  @Field(() => String, { description: 'Always `response`.' })
  object!: string;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  created!: number;

  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => String, {
    nullable: true,
    description: '`completed`, `incomplete`, `failed` or `cancelled`.',
  })
  status!: string | null;

  @Field(() => JsonScalar, { nullable: true, description: 'A list of output items.' })
  output!: unknown;

  @Field(() => String, { description: 'All texts of the output, one after another.' })
  outputText!: string;

  @Field(() => Usage, { nullable: true, description: 'Tokens of the call.' })
  usage!: Usage | null;

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  raw!: JsonObject;
}

/** One event of a streamed response (docs/api.md, Responses). */
@ObjectType({ simpleResolvers: true, description: 'One event of a streamed response.' })
export class ResponseEvent {
  @Field(() => String, { description: 'Such as `response.output_text.delta`.' })
  type!: string;

  @Field(() => Int, { description: 'Counts the events of a stream, from 0.' })
  sequenceNumber!: number;

  @Field(() => String, { nullable: true, description: 'The next piece of a text, or of the arguments of a call.' })
  delta!: string | null;

  @Field(() => JsonScalar, { description: 'All of it, as it stands.' })
  raw!: JsonObject;
}

/** The typed form of a whole answer. */
export function toResponseAnswer(raw: JsonObject): ResponseAnswer {
  const { output } = raw;
  return {
    id: textOr(raw.id, ''),
    object: 'response',
    created: typeof raw.created === 'number' ? raw.created : 0,
    model: textOr(raw.model, ''),
    status: textOr(raw.status, null),
    output,
    outputText: objectsOf(output).flatMap(textsOf).join(''),
    usage: toUsage(raw.usage),
    raw,
  };
}

/** The typed form of one event of a stream. */
export function toResponseEvent(raw: JsonObject): ResponseEvent {
  return {
    type: textOr(raw.type, ''),
    sequenceNumber: typeof raw.sequence_number === 'number' ? raw.sequence_number : 0,
    delta: textOr(raw.delta, null),
    raw,
  };
}

function textsOf({ content }: JsonObject): string[] {
  return objectsOf(content)
    .filter(({ type }) => type === 'output_text')
    .map(({ text }) => textOr(text, ''));
}
