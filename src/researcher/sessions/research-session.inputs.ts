import { Field, ID, InputType, Int } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** A session that is to be made. */
@InputType({ description: 'A session that is to be made.' })
export class ResearchSessionInput {
  @Field(() => String, { description: '1 to 2,000 characters, among them a letter or a digit.' })
  question!: string;

  @Field(() => Int, { nullable: true, description: 'Rounds of search, 1 to 3; 2 by default.' })
  depth?: number | null;

  @Field(() => Int, { nullable: true, description: 'Sources that are read, 1 to 50; 10 for each round by default.' })
  maxSources?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The public name of a chat model; the builtin one by default, whose sentences are quotes.',
  })
  model?: string | null;

  @Field(() => ID, { nullable: true, description: 'How credible sources are; the default of the tenant by default.' })
  credibilityConfigId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Up to 20 knowledge bases that are searched beside the web.' })
  knowledgebaseIds?: string[] | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: 'Tokens that it uses at most, from 1,000; as many as it takes by default.',
  })
  maxTokens?: number | null;

  @Field(() => Int, { nullable: true, description: 'How long it may take, 10 to 3,600 seconds; 900 by default.' })
  maxSeconds?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether sentences that stand in a source word for word alone are reported; false by default.',
  })
  strict?: boolean | null;

  @Field(() => ID, {
    nullable: true,
    description: 'A session of one’s own that is over: its sources are read as they were kept, and nothing is fetched.',
  })
  replayOf?: string | null;
}
