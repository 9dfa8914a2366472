import { Arg, Ctx, ID, Query, Resolver, Subscription } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Access, callerOf } from '../../access/access-rule.js';
import type { BackendHealthService } from '../backends/health/backend-health.service.js';
import type { BackendsService } from '../backends/backends.service.js';
import { BackendInstance, Model } from './model.types.js';

/** What it takes to see models and backends. */
export const modelsRule = { credential: 'bearer', scope: 'models:read' } as const;

/** Models and the backends that serve them. */
@Resolver()
export class ModelsResolver {
  constructor(
    private readonly service: BackendsService,
    private readonly health: BackendHealthService,
  ) {}

  @Access(modelsRule)
  @Query(() => [Model], { description: 'Every model that can be used.' })
  models(@Ctx() context: RequestContext): Promise<Model[]> {
    return this.service.listModels(callerOf(context));
  }

  @Access(modelsRule)
  @Query(() => Model, { description: 'A model that can be used.' })
  model(
    @Arg('id', () => ID, { description: 'The public name of the model.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Model> {
    return this.service.getModel(callerOf(context), id);
  }

  @Access(modelsRule)
  @Query(() => [BackendInstance], { description: 'The backends that answer for models.' })
  backends(@Ctx() context: RequestContext): Promise<BackendInstance[]> {
    return this.service.listBackends(callerOf(context));
  }

  @Access(modelsRule)
  @Subscription(() => BackendInstance, {
    topics: 'unused',
    description: 'A backend whenever it has become healthy, or is not any more.',
  })
  backendHealthChanged(@Ctx() context: RequestContext): AsyncIterable<BackendInstance> {
    return this.health.changes(callerOf(context));
  }
}
