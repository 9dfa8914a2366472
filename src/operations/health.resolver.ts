import { Query, Resolver } from 'type-graphql';
import { Public } from '../access/access-rule.js';
import type { HealthService } from './health.service.js';
import { Health } from './health.types.js';

/** The server's health, for dashboards. */
@Resolver()
export class HealthResolver {
  constructor(private readonly service: HealthService) {}

  @Public('Load balancers and monitors have no account; it tells states only.')
  @Query(() => Health, { description: 'How the server does.' })
  health(): Promise<Health> {
    return this.service.check();
  }
}
