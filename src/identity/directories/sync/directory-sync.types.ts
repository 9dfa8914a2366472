import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';

/** How directory syncs stand. */
export const DirectorySyncStatus = {
  queued: 'queued',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  refused: 'refused',
} as const;
/** One of these. */
export type DirectorySyncStatus = keyof typeof DirectorySyncStatus;

registerEnumType(DirectorySyncStatus, {
  name: 'DirectorySyncStatus',
  description: 'How a directory sync stands.',
  valuesConfig: {
    queued: { description: 'It has not begun.' },
    running: { description: 'It runs, or is taken up again after an interruption.' },
    completed: { description: 'It has read all that it was to read.' },
    failed: { description: 'It could not be finished; what it has done until then stays.' },
    refused: { description: 'It would suspend too many people, which `force` allows.' },
  },
});

/** What is done about a person. */
export type DirectorySyncAction = 'create' | 'update' | 'suspend';

/** How many people a directory sync was about. */
@ObjectType({ simpleResolvers: true, description: 'How many people a directory sync was about.' })
export class DirectorySyncCounts {
  @Field(() => Int, { description: 'New accounts.' })
  created!: number;

  @Field(() => Int, { description: 'Accounts that were brought up to date, or are active again.' })
  updated!: number;

  @Field(() => Int, { description: 'Accounts of people whom the directory does not know any more.' })
  suspended!: number;

  @Field(() => Int, { description: 'Accounts that were up to date.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Entries that no account could be made of; `errors` says why.' })
  failed!: number;
}

/** What a directory sync would do about a person. */
@ObjectType({ simpleResolvers: true, description: 'What a directory sync would do about a person.' })
export class DirectorySyncChange {
  @Field(() => String, { description: '`create`, `update` or `suspend`.' })
  action!: DirectorySyncAction;

  @Field(() => ID, { description: 'Who it is in the directory.' })
  externalId!: string;

  @Field(() => String, { description: 'The address, as the directory has it.' })
  email!: string;

  @Field(() => String, { description: 'The name, as the directory has it.' })
  username!: string;

  @Field(() => [String], { description: 'For people to read, such as `email: a@example.com -> b@example.com`.' })
  changes!: string[];
}
