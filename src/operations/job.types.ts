import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../graph/connection.js';
import { JOB_STATUSES } from '../platform/jobs/job.types.js';
import type { JobStatus } from '../platform/jobs/job.types.js';

/** The statuses under their names in the graph. */
export const BackgroundJobStatus = Object.fromEntries(JOB_STATUSES.map((status) => [status, status]));

registerEnumType(BackgroundJobStatus, {
  name: 'JobStatus',
  description: 'How a job stands.',
  valuesConfig: {
    waiting: { description: 'It has not begun.' },
    retrying: { description: 'An attempt has failed, and the next one is to come.' },
    running: { description: 'It is being done.' },
    completed: { description: 'It is done.' },
    failed: { description: 'All of its attempts have failed; a sysadmin can have it tried again.' },
    cancelled: { description: 'It is not done: its user may not sign in any more.' },
  },
});

/** Work in the background (docs/api.md, Jobs). Its payload is nobody's business. */
@ObjectType('Job', { simpleResolvers: true, description: 'Work in the background.' })
export class BackgroundJob {
  @Field(() => ID, { description: 'Begins with `job_`.' })
  id!: string;

  @Field(() => String, { description: 'Always `job`.' })
  object!: string;

  @Field(() => String, { description: 'What it does, such as `mail`.' })
  kind!: string;

  @Field(() => BackgroundJobStatus, { description: 'How it stands.' })
  status!: JobStatus;

  @Field(() => ID, { nullable: true, description: 'The tenant of its user; null: it is the server’s own.' })
  tenantId!: string | null;

  @Field(() => ID, { nullable: true, description: 'For whom it works; null: it is the server’s own.' })
  userId!: string | null;

  @Field(() => Int, { description: 'How often it has been begun.' })
  attempts!: number;

  @Field(() => Int, { description: 'How often it may be.' })
  maxAttempts!: number;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed.' })
  error!: string | null;

  @Field(() => Date, { description: 'When it was put in the queue.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the last attempt began.' })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was over.' })
  finishedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the next attempt may begin.' })
  runAt!: Date | null;
}

/** A page of jobs. */
export const JobConnection = connectionType('Job', BackgroundJob);
