import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../access/access-rule.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../graph/connection.js';
import type { Connection } from '../graph/connection.js';
import { Deletion } from '../graph/deletion.types.js';
import type { JobStatus } from '../platform/jobs/job.types.js';
import { BackgroundJob, BackgroundJobStatus, JobConnection } from './job.types.js';
import type { JobsService } from './jobs.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'sysadmin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'sysadmin' } as const;

/** Work in the background, for sysadmins. */
@Resolver()
export class JobsResolver {
  constructor(private readonly service: JobsService) {}

  @Access(read)
  @Query(() => JobConnection, {
    description: 'Jobs of the last 30 days; completed jobs of the last day.',
  })
  jobs(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('status', () => BackgroundJobStatus, { nullable: true, description: 'Those that stand so.' })
    status?: JobStatus | null,
    @Arg('kind', () => String, { nullable: true, description: 'Those that do this, such as `mail`.' })
    kind?: string | null,
  ): Promise<Connection<BackgroundJob>> {
    return this.service.list({ status: status ?? undefined, kind: kind ?? undefined }, page);
  }

  @Access(write)
  @Mutation(() => BackgroundJob, { description: 'Try a job again that has failed or was cancelled.' })
  retryJob(
    @Arg('id', () => ID, { description: 'Of the job.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<BackgroundJob> {
    return this.service.retry(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Delete a job that is not running; it is not done.' })
  async deleteJob(
    @Arg('id', () => ID, { description: 'Of the job.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
