import { Field, Float, ObjectType } from 'type-graphql';
import { SafeInt } from '../graph/safe-int.scalar.js';

/** Amounts of one calendar month in UTC; a null limit is none. */
@ObjectType({ simpleResolvers: true, description: 'Amounts of one calendar month (UTC).' })
export class QuotaUsage {
  @Field(() => SafeInt, { description: 'Calls of a model.' })
  requests!: number;

  @Field(() => SafeInt, { description: 'Prompt and completion tokens of settled calls.' })
  tokens!: number;

  @Field(() => SafeInt)
  storageBytes!: number;

  @Field(() => SafeInt)
  audioSeconds!: number;

  @Field(() => Date)
  periodStart!: Date;

  @Field(() => Date)
  periodEnd!: Date;
}

/** The limits that apply to a user in the period; null: none. */
@ObjectType({ simpleResolvers: true, description: 'Limits of one calendar month (UTC); null is no limit.' })
export class QuotaLimits {
  @Field(() => SafeInt, { nullable: true })
  requests!: number | null;

  @Field(() => SafeInt, { nullable: true })
  tokens!: number | null;

  @Field(() => SafeInt, { nullable: true })
  storageBytes!: number | null;

  @Field(() => SafeInt, { nullable: true })
  audioSeconds!: number | null;

  @Field(() => Date)
  periodStart!: Date;

  @Field(() => Date)
  periodEnd!: Date;
}

/** What a user has used of what it may use (specification, section 2, Quota). */
@ObjectType({ simpleResolvers: true, description: 'What a user has used of what it may use this month.' })
export class Quota {
  @Field(() => QuotaUsage)
  usage!: QuotaUsage;

  @Field(() => QuotaLimits)
  limits!: QuotaLimits;

  @Field(() => Float, { description: 'The highest share of any limit, in percent; 0 where no limit is set.' })
  percentUsed!: number;

  @Field(() => Boolean, { description: 'Whether calls over the limit are refused.' })
  enforcing!: boolean;

  @Field(() => Boolean, { description: 'From 80 percent.' })
  warning!: boolean;

  @Field(() => Boolean, { description: 'From 100 percent.' })
  exceeded!: boolean;
}
