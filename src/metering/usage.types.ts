import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType, PageArgs } from '../graph/connection.js';
import { SafeInt } from '../graph/safe-int.scalar.js';

/** How a call stands: still open, settled with the upstream's own numbers, or with numbers counted here. */
export const CallState = { open: 'open', exact: 'exact', estimated: 'estimated' } as const;
/** One of them. */
export type CallState = keyof typeof CallState;
registerEnumType(CallState, {
  name: 'CallState',
  description:
    'Open, or settled with the numbers of the model server (exact) or with numbers counted here (estimated).',
});

/** The length of a piece of a series. */
export const UsageInterval = { hour: 'hour', day: 'day' } as const;
/** One of them. */
export type UsageInterval = keyof typeof UsageInterval;
registerEnumType(UsageInterval, { name: 'UsageInterval', description: 'Hours or days, in UTC.' });

/** What a series can be divided by. */
export const UsageDimension = { model: 'model', area: 'area', user: 'user' } as const;
/** One of them. */
export type UsageDimension = keyof typeof UsageDimension;
registerEnumType(UsageDimension, { name: 'UsageDimension', description: 'What a series is divided by.' });

/** One call of a model in the ledger (CONTRACT, section 9). */
@ObjectType({ simpleResolvers: true, description: 'One call of a model, as it is charged.' })
export class UsageCall {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'Always `usage.call`.' })
  object!: string;

  @Field(() => String, { description: 'The `x-request-id` of the request.' })
  requestId!: string;

  @Field(() => CallState)
  state!: CallState;

  @Field(() => String, { description: 'The group of endpoints, such as `chat`.' })
  area!: string;

  @Field(() => String)
  model!: string;

  @Field(() => String)
  backend!: string;

  @Field(() => Int, { description: 'While the call is open, an estimate.' })
  promptTokens!: number;

  @Field(() => Int)
  completionTokens!: number;

  @Field(() => SafeInt)
  totalTokens!: number;

  @Field(() => String, { nullable: true, description: '`completed`, `cancelled` or `failed`; null while open.' })
  outcome!: string | null;

  @Field(() => Int, { nullable: true, description: 'Milliseconds; null while open.' })
  durationMs!: number | null;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Null while open.' })
  settledAt!: Date | null;
}

/** A page of calls. */
export const UsageCallConnection = connectionType('UsageCall', UsageCall);

/** Which calls are wanted. */
@ArgsType()
export class UsageCallsArgs extends PageArgs {
  @Field(() => String, { nullable: true })
  model?: string | null;

  @Field(() => String, { nullable: true })
  area?: string | null;

  @Field(() => CallState, { nullable: true })
  state?: CallState | null;

  @Field(() => Date, { nullable: true, description: 'Calls that began at this time or later.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Calls that began before this time.' })
  to?: Date | null;
}

/** What was used: calls and tokens. */
@ObjectType({ simpleResolvers: true, description: 'Settled calls and their tokens.' })
export class UsageTotals {
  @Field(() => SafeInt, { description: 'Settled calls.' })
  requests!: number;

  @Field(() => SafeInt)
  promptTokens!: number;

  @Field(() => SafeInt)
  completionTokens!: number;

  @Field(() => SafeInt)
  totalTokens!: number;
}

/** What was used in an hour or a day. */
@ObjectType({ simpleResolvers: true, description: 'What was used in an hour or a day, and of what.' })
export class UsageBucket extends UsageTotals {
  @Field(() => Date, { description: 'The beginning of the hour or day.' })
  start!: Date;

  @Field(() => String, { nullable: true, description: 'Null unless the series is divided by it.' })
  model!: string | null;

  @Field(() => String, { nullable: true, description: 'Null unless the series is divided by it.' })
  area!: string | null;

  @Field(() => String, { nullable: true, description: 'Null unless the series is divided by it.' })
  userId!: string | null;
}

/** A series of what was used. Hours and days without use are left out. */
@ObjectType({
  simpleResolvers: true,
  description: 'A series of what was used; hours and days without use are left out.',
})
export class UsageSeries {
  @Field(() => String, { description: 'Always `usage`.' })
  object!: string;

  @Field(() => UsageInterval)
  interval!: UsageInterval;

  @Field(() => Date, { description: 'The full hour with which it begins.' })
  from!: Date;

  @Field(() => Date, { description: 'The full hour before which it ends.' })
  to!: Date;

  @Field(() => [UsageBucket])
  data!: UsageBucket[];

  @Field(() => UsageTotals)
  totals!: UsageTotals;
}

/** Which series is wanted. */
@ArgsType()
export class UsageArgs {
  @Field(() => Date, {
    nullable: true,
    description: 'Rounded down to the hour; by default the beginning of the month.',
  })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Rounded up to the hour; by default now.' })
  to?: Date | null;

  @Field(() => UsageInterval, { nullable: true, description: 'Days by default.' })
  interval?: UsageInterval | null;

  @Field(() => [UsageDimension], { nullable: true })
  groupBy?: UsageDimension[] | null;

  @Field(() => String, { nullable: true })
  model?: string | null;

  @Field(() => String, { nullable: true })
  area?: string | null;
}

/** Which series of a tenant, or of all, is wanted. */
@ArgsType()
export class AdminUsageArgs extends UsageArgs {
  @Field(() => ID, { nullable: true, description: 'By default the own tenant; for a sysadmin all of them.' })
  tenantId?: string | null;

  @Field(() => ID, { nullable: true })
  userId?: string | null;
}
