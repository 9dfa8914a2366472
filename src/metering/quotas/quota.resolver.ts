import { Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import { requestLoader } from '../../graph/request-loader.js';
import type { RequestContext } from '../../context.js';
import { User } from '../../identity/domain.js';
import type { QuotaNotifier } from './quota-notifier.js';
import type { QuotaService } from './quota.service.js';
import { Quota } from './quota.types.js';

const rule = { credential: 'bearer', scope: 'quota:read' } as const;

/** Quota of the caller, and of the users that an administrator looks at. */
@Resolver(() => User)
export class QuotaResolver {
  constructor(
    private readonly quotas: QuotaService,
    private readonly changes: QuotaNotifier,
  ) {}

  private readonly quotasOf = requestLoader(
    (context, users: readonly User[]) => this.quotas.ofUsers(callerOf(context), users),
    ({ id }) => id,
  );

  @Access(rule)
  @Query(() => Quota, { description: 'What the caller has used of what it may use this month.' })
  quota(@Ctx() context: RequestContext): Promise<Quota> {
    return this.quotas.own(callerOf(context));
  }

  @Access(rule)
  @Subscription(() => Quota, {
    topics: 'unused',
    description: "The caller's quota now, and whenever its calls have been settled, at most once a second.",
  })
  quotaUpdated(@Ctx() context: RequestContext): AsyncIterable<Quota> {
    return this.changes.watch(callerOf(context));
  }

  @Access(rule)
  @FieldResolver(() => Quota, {
    name: 'quota',
    nullable: true,
    description: 'For the user itself and for administrators.',
  })
  userQuota(@Root() user: User, @Ctx() context: RequestContext): Promise<Quota | null> {
    return this.quotasOf(context).load(user);
  }
}
