import { Field, Float, ID, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** Amounts of one calendar month in UTC; a null limit is none. */
@ObjectType({ simpleResolvers: true, description: 'Amounts of one calendar month (UTC).' })
export class QuotaUsage {
  @Field(() => SafeInt, { description: 'Calls of a model.' })
  requests!: number;

  @Field(() => SafeInt, { description: 'Prompt and completion tokens of settled calls.' })
  tokens!: number;

  @Field(() => SafeInt, { description: 'Bytes of stored files, now.' })
  storageBytes!: number;

  @Field(() => SafeInt, { description: 'Seconds of audio that were transcribed or spoken.' })
  audioSeconds!: number;

  @Field(() => Date, { description: 'The beginning of the month.' })
  periodStart!: Date;

  @Field(() => Date, { description: 'The end of the month, when everything counts from 0 again.' })
  periodEnd!: Date;
}

/** The limits that apply to a user in the period; null: none. */
@ObjectType({ simpleResolvers: true, description: 'Limits of one calendar month (UTC); null is no limit.' })
export class QuotaLimits {
  @Field(() => SafeInt, { nullable: true, description: 'Calls of a model.' })
  requests!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Prompt and completion tokens.' })
  tokens!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Bytes of stored files, at any time.' })
  storageBytes!: number | null;

  @Field(() => SafeInt, { nullable: true, description: 'Seconds of audio.' })
  audioSeconds!: number | null;

  @Field(() => Date, { description: 'The beginning of the month.' })
  periodStart!: Date;

  @Field(() => Date, { description: 'The end of the month.' })
  periodEnd!: Date;
}

/** What a user has used of what it may use (docs/api.md, Quota). */
@ObjectType({ simpleResolvers: true, description: 'What a user has used of what it may use this month.' })
export class Quota {
  @Field(() => ID, { description: 'The id of its user, who has one.' })
  id!: string;

  @Field(() => QuotaUsage, { description: 'What was used so far.' })
  usage!: QuotaUsage;

  @Field(() => QuotaLimits, { description: 'What may be used.' })
  limits!: QuotaLimits;

  @Field(() => Float, { description: 'The highest share of any limit, in percent; 0 where no limit is set.' })
  percentUsed!: number;

  @Field(() => Boolean, { description: 'Whether calls and files over the limit are refused.' })
  enforcing!: boolean;

  @Field(() => Boolean, { description: 'From 80 percent.' })
  warning!: boolean;

  @Field(() => Boolean, { description: 'From 100 percent.' })
  exceeded!: boolean;
}
