import { Field, Int, ObjectType } from 'type-graphql';
import { toMeteredUsage } from './usage.js';

/** Tokens of a call (docs/api.md, Calls of models). */
@ObjectType({ simpleResolvers: true, description: 'Tokens that a call used.' })
export class Usage {
  @Field(() => Int, { description: 'Of what went in.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'Of what came out.' })
  completionTokens!: number;

  @Field(() => Int, { description: 'Both together.' })
  totalTokens!: number;
}

/** The typed form of a `usage` member; null where there is none. */
export function toUsage(value: unknown): Usage | null {
  const metered = toMeteredUsage(value);
  return (
    metered && {
      promptTokens: metered.promptTokens,
      completionTokens: metered.completionTokens,
      totalTokens: metered.promptTokens + metered.completionTokens,
    }
  );
}
