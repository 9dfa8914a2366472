import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { Connection } from '../../graph/connection.js';
import type { UsageCallsService } from './usage-calls.service.js';
import type { UsageService } from './usage.service.js';
import { AdminUsageArgs, UsageArgs, UsageCallConnection, UsageCallsArgs, UsageSeries } from './usage.types.js';
import type { UsageCall } from './usage.types.js';

const rule = { credential: 'bearer', scope: 'quota:read' } as const;
const adminRule = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;

/** What was used, call by call and over time. */
@Resolver()
export class UsageResolver {
  constructor(
    private readonly calls: UsageCallsService,
    private readonly series: UsageService,
  ) {}

  @Access(rule)
  @Query(() => UsageCallConnection, { description: "The caller's own calls of models, as they are charged." })
  usageCalls(
    @Args(() => UsageCallsArgs) args: UsageCallsArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<UsageCall>> {
    return this.calls.list(callerOf(context), args, context.signal);
  }

  @Access(rule)
  @Query(() => UsageSeries, { description: 'What the caller has used, by hour or day of settlement.' })
  usage(@Args(() => UsageArgs) args: UsageArgs, @Ctx() context: RequestContext): Promise<UsageSeries> {
    return this.series.own(callerOf(context), args, context.signal);
  }

  @Access(adminRule)
  @Query(() => UsageSeries, { description: 'What a tenant, or all of them, have used, by hour or day of settlement.' })
  adminUsage(@Args(() => AdminUsageArgs) args: AdminUsageArgs, @Ctx() context: RequestContext): Promise<UsageSeries> {
    return this.series.ofTenant(callerOf(context), args, context.signal);
  }
}
