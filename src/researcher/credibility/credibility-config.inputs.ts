import { Field, Float, InputType } from 'type-graphql';
import { CredibilityRule } from './credibility-config.types.js';

/** A configuration that is to be made. */
@InputType({ description: 'A configuration that is to be made.' })
export class CredibilityConfigInput {
  @Field(() => String, { description: '1 to 100 characters; others may have the same.' })
  name!: string;

  @Field(() => [CredibilityRule], { nullable: true, description: 'Up to 500, each pattern once; none by default.' })
  rules?: CredibilityRule[] | null;

  @Field(() => Float, { nullable: true, description: '0 to 1; 0.5 by default.' })
  defaultScore?: number | null;

  @Field(() => Float, { nullable: true, description: '0 to 1; 0 by default: nothing is left out.' })
  minScore?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it becomes the default of the tenant; the first one does whatever is said.',
  })
  isDefault?: boolean | null;
}

/** What may be changed about a configuration; a field that is left out keeps its value, and none may be null. */
@InputType({ description: 'What is left out keeps its value.' })
export class CredibilityConfigPatch {
  @Field(() => String, { nullable: true, description: '1 to 100 characters.' })
  name?: string | null;

  @Field(() => [CredibilityRule], { nullable: true, description: 'All rules, in place of those before.' })
  rules?: CredibilityRule[] | null;

  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  defaultScore?: number | null;

  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  minScore?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True makes it the default; the default cannot be told that it is none.',
  })
  isDefault?: boolean | null;
}
