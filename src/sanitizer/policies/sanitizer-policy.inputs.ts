import { Field, InputType, Int } from 'type-graphql';
import { SanitizerRule, UnreadableParts } from './sanitizer-policy.types.js';

/** A policy that is to be made. */
@InputType({ description: 'A policy that is to be made.' })
export class SanitizerPolicyInput {
  @Field(() => String, { description: '1 to 100 characters; others may have the same.' })
  name!: string;

  @Field(() => [SanitizerRule], {
    description: '1 to 200, with up to 100 patterns and 1,000 words together.',
  })
  rules!: SanitizerRule[];

  @Field(() => UnreadableParts, { nullable: true, description: '`block` by default.' })
  unreadable?: UnreadableParts | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is in force; true by default.' })
  enabled?: boolean | null;

  @Field(() => Int, { nullable: true, description: '-1,000 to 1,000; the higher one is first; 0 by default.' })
  priority?: number | null;
}

/** What may be changed about a policy; a field that is left out keeps its value, and none may be null. */
@InputType({ description: 'What is left out keeps its value.' })
export class SanitizerPolicyPatch {
  @Field(() => String, { nullable: true, description: '1 to 100 characters.' })
  name?: string | null;

  @Field(() => [SanitizerRule], { nullable: true, description: 'All rules, in place of those before.' })
  rules?: SanitizerRule[] | null;

  @Field(() => UnreadableParts, { nullable: true, description: 'What happens to parts that cannot be read.' })
  unreadable?: UnreadableParts | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is in force.' })
  enabled?: boolean | null;

  @Field(() => Int, { nullable: true, description: '-1,000 to 1,000; the higher one is first.' })
  priority?: number | null;
}
