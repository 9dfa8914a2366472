import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';
import { Tenant } from './tenant.entity.js';
import type { Plan } from './tenant.entity.js';

/** What the other domains may know of tenants. They have checked what the caller may before they ask. */
export class TenantDirectory {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether there is a tenant with this id. */
  async exists(id: string): Promise<boolean> {
    return this.dataSource.getRepository(Tenant).existsBy({ id, deletedAt: IsNull() });
  }

  /** What a tenant has subscribed to, read anew each time; undefined: there is no such tenant. */
  async planOf(id: string): Promise<Plan | undefined> {
    const tenant = await this.dataSource
      .getRepository(Tenant)
      .findOne({ select: { plan: true }, where: { id, deletedAt: IsNull() } });
    return tenant?.plan;
  }
}
