import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';

/** What a person says of a value. */
export const ReviewAction = { accept: 'accept', correct: 'correct', reject: 'reject' } as const;
/** One of them. */
export type ReviewAction = keyof typeof ReviewAction;

registerEnumType(ReviewAction, {
  name: 'ReviewAction',
  description: 'What a person says of a value.',
  valuesConfig: {
    accept: { description: 'What is proposed is right.' },
    correct: { description: 'Another value is right.' },
    reject: { description: 'There is none.' },
  },
});

/** What a person says of one value. */
@InputType({ description: 'What a person says of one value.' })
export class ResolutionInput {
  @Field(() => ReviewAction, { description: 'What is to become of it.' })
  action!: ReviewAction;

  @Field(() => JsonScalar, { nullable: true, description: 'With `correct` alone: a value that fits the schema.' })
  value?: unknown;

  @Field(() => String, { nullable: true, description: 'At most 2,000 characters.' })
  comment?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The version that it is meant for; who has resolved an item already must name it to say something else.',
  })
  version?: number | null;
}

/** What a person says of one of many values. */
@InputType({ description: 'What a person says of one of many values.' })
export class BulkResolutionItem extends ResolutionInput {
  @Field(() => ID, { description: 'Of the review item.' })
  id!: string;
}

/** Which items are resolved alike. */
@InputType({ description: 'Which items are resolved alike; all that wait where it is empty.' })
export class ReviewFilter {
  @Field(() => String, {
    nullable: true,
    description: 'A place such as `total`; `line_items[].amount` stands for all of its rows.',
  })
  field?: string | null;

  @Field(() => Float, { nullable: true, description: '0 to 1: what has less confidence is left.' })
  minConfidence?: number | null;
}

/** An item that could not be resolved. */
@ObjectType({ simpleResolvers: true, description: 'An item that could not be resolved.' })
export class BulkFailure {
  @Field(() => ID, { description: 'Of the review item.' })
  id!: string;

  @Field(() => JsonScalar, { description: 'The error object, as the item alone would have been answered.' })
  error!: unknown;
}

/** What has become of many items. */
@ObjectType({ simpleResolvers: true, description: 'What has become of many items.' })
export class BulkResolution {
  @Field(() => String, { description: 'Always `review.bulk`.' })
  readonly object = 'review.bulk';

  @Field(() => Int, { description: 'How many of them are now as the caller has said.' })
  resolved!: number;

  @Field(() => [BulkFailure], { description: 'The others, at most 1,000 of them.' })
  failed!: BulkFailure[];

  @Field(() => Int, { description: 'How many items of the session wait for a person.' })
  remaining!: number;
}
