import { Field, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** What a session has used. */
@ObjectType({ simpleResolvers: true, description: 'Tokens that calls of models have used.' })
export class ResearchUsage {
  @Field(() => SafeInt, { description: 'Of what models were sent.' })
  inputTokens!: number;

  @Field(() => SafeInt, { description: 'Of what models have answered.' })
  outputTokens!: number;

  @Field(() => SafeInt, { description: 'Both.' })
  totalTokens!: number;
}
