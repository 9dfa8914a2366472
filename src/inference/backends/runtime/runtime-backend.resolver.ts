import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../../../context.js';
import { Access, callerOf } from '../../../access/access-rule.js';
import { PageArgs } from '../../../graph/connection.js';
import type { Connection } from '../../../graph/connection.js';
import { Deletion } from '../../../graph/deletion.types.js';
import { BackendSettingsInput, RuntimeBackend, RuntimeBackendConnection } from './runtime-backend.types.js';
import type { RuntimeBackendsService } from './runtime-backends.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** Backends that are added while the server runs, for administrators. */
@Resolver()
export class RuntimeBackendResolver {
  constructor(private readonly service: RuntimeBackendsService) {}

  @Access(read)
  @Query(() => RuntimeBackendConnection, { description: 'The backends that the caller has added or administers.' })
  runtimeBackends(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<RuntimeBackend>> {
    return this.service.list(callerOf(context), page);
  }

  @Access(read)
  @Query(() => RuntimeBackend, { description: 'A backend that the caller administers.' })
  runtimeBackend(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<RuntimeBackend> {
    return this.service.get(callerOf(context), id);
  }

  @Access(write)
  @Mutation(() => RuntimeBackend, { description: 'Add a backend, for one tenant or (sysadmin) for all.' })
  createBackend(
    @Arg('input', () => BackendSettingsInput, { description: 'Its settings.' }) input: BackendSettingsInput,
    @Ctx() context: RequestContext,
    @Arg('tenantId', () => ID, { nullable: true, description: 'The tenant that it serves alone.' })
    tenantId?: string | null,
  ): Promise<RuntimeBackend> {
    return this.service.create(callerOf(context), input, tenantId);
  }

  @Access(write)
  @Mutation(() => RuntimeBackend, { description: 'Change a backend; calls that it answers go on as they were.' })
  updateBackend(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Arg('patch', () => BackendSettingsInput, { description: 'What is left out keeps its value.' })
    patch: BackendSettingsInput,
    @Ctx() context: RequestContext,
  ): Promise<RuntimeBackend> {
    return this.service.update(callerOf(context), id, patch);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Take a backend away; calls that it answers go on.' })
  async deleteBackend(
    @Arg('id', () => ID, { description: 'One that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
