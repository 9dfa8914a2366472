import { ArgsType, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType, PageArgs } from '../../graph/connection.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** How a call stands: still open, settled with the upstream's own numbers, or with numbers counted here. */
export const CallState = { open: 'open', exact: 'exact', estimated: 'estimated' } as const;
/** One of them. */
export type CallState = keyof typeof CallState;
registerEnumType(CallState, {
  name: 'CallState',
  description:
    'Open, or settled with the numbers of the model server (exact) or with numbers counted here (estimated).',
  valuesConfig: {
    open: { description: 'Being answered; its numbers are estimates.' },
    exact: { description: 'Settled with the numbers of the model server.' },
    estimated: { description: 'Settled with numbers that were counted here.' },
  },
});

/** The length of a piece of a series. */
export const UsageInterval = { hour: 'hour', day: 'day' } as const;
/** One of them. */
export type UsageInterval = keyof typeof UsageInterval;
registerEnumType(UsageInterval, {
  name: 'UsageInterval',
  description: 'Hours or days, in UTC.',
  valuesConfig: { hour: { description: 'An hour.' }, day: { description: 'A day.' } },
});

/** What a series can be divided by. */
export const UsageDimension = { model: 'model', area: 'area', user: 'user' } as const;
/** One of them. */
export type UsageDimension = keyof typeof UsageDimension;
registerEnumType(UsageDimension, {
  name: 'UsageDimension',
  description: 'What a series is divided by.',
  valuesConfig: {
    model: { description: 'The public name of the model.' },
    area: { description: 'The group of endpoints, such as `chat`.' },
    user: { description: 'Who made the calls.' },
  },
});

/** One call of a model in the ledger. */
@ObjectType({ simpleResolvers: true, description: 'One call of a model, as it is charged.' })
export class UsageCall {
  @Field(() => ID, { description: 'Begins with `call_`.' })
  id!: string;

  @Field(() => String, { description: 'Always `usage.call`.' })
  object!: string;

  @Field(() => String, { description: 'The `x-request-id` of the request.' })
  requestId!: string;

  @Field(() => CallState, { description: 'Whether it is settled, and by whose numbers.' })
  state!: CallState;

  @Field(() => String, { description: 'The group of endpoints, such as `chat`.' })
  area!: string;

  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => String, { description: 'The server that answered, or was expected to.' })
  backend!: string;

  @Field(() => Int, { description: 'While the call is open, an estimate.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'Tokens of the answer; 0 while the call is open.' })
  completionTokens!: number;

  @Field(() => SafeInt, { description: 'Both together.' })
  totalTokens!: number;

  @Field(() => Float, {
    description:
      'Of sound that was transcribed or spoken, in whole seconds, rounded up; while the call is open, what goes in.',
  })
  audioSeconds!: number;

  @Field(() => String, { nullable: true, description: '`completed`, `cancelled` or `failed`; null while open.' })
  outcome!: string | null;

  @Field(() => Int, { nullable: true, description: 'Milliseconds; null while open.' })
  durationMs!: number | null;

  @Field(() => Date, { description: 'When the call began.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Null while open.' })
  settledAt!: Date | null;
}

/** A page of calls. */
export const UsageCallConnection = connectionType('UsageCall', UsageCall);

/** Which calls are wanted. */
@ArgsType()
export class UsageCallsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Calls of this model alone.' })
  model?: string | null;

  @Field(() => String, { nullable: true, description: 'Calls of this group of endpoints alone, such as `chat`.' })
  area?: string | null;

  @Field(() => CallState, { nullable: true, description: 'Calls in this state alone.' })
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

  @Field(() => SafeInt, { description: 'Of what went in.' })
  promptTokens!: number;

  @Field(() => SafeInt, { description: 'Of what came out.' })
  completionTokens!: number;

  @Field(() => SafeInt, { description: 'Both together.' })
  totalTokens!: number;

  @Field(() => Float, { description: 'Seconds of sound that were transcribed or spoken.' })
  audioSeconds!: number;
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

  @Field(() => ID, { nullable: true, description: 'Null unless the series is divided by it.' })
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

  @Field(() => UsageInterval, { description: 'The length of a piece.' })
  interval!: UsageInterval;

  @Field(() => Date, { description: 'The full hour with which it begins.' })
  from!: Date;

  @Field(() => Date, { description: 'The full hour before which it ends.' })
  to!: Date;

  @Field(() => [UsageBucket], {
    description: 'One for each hour or day, and each value that the series is divided by.',
  })
  data!: UsageBucket[];

  @Field(() => UsageTotals, { description: 'All pieces together.' })
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

  @Field(() => [UsageDimension], { nullable: true, description: 'What the series is divided by; by default nothing.' })
  groupBy?: UsageDimension[] | null;

  @Field(() => String, { nullable: true, description: 'Calls of this model alone.' })
  model?: string | null;

  @Field(() => String, { nullable: true, description: 'Calls of this group of endpoints alone, such as `chat`.' })
  area?: string | null;
}

/** Which series of a tenant, or of all, is wanted. */
@ArgsType()
export class AdminUsageArgs extends UsageArgs {
  @Field(() => ID, { nullable: true, description: 'By default the own tenant; for a sysadmin all of them.' })
  tenantId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Calls of this user alone.' })
  userId?: string | null;
}
