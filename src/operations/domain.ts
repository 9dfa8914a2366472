import { z } from 'zod';
import type { DomainModule } from '../domain-module.js';
import { HealthResolver } from './health.resolver.js';
import { HealthService } from './health.service.js';

/** What operations gives to the transports. */
export interface OperationsPorts {
  readonly health: HealthService;
}

const operationsConfig = z.object({});

/** How the installation does. */
export const operations: DomainModule<typeof operationsConfig, object, OperationsPorts> = {
  name: 'operations',
  config: operationsConfig,
  entities: [],
  migrations: [],
  async create({ version, contributions }) {
    const health = new HealthService(version, () =>
      Object.assign({}, ...contributions().map((contribution) => contribution.health)),
    );
    return { resolvers: [new HealthResolver(health)], references: [], ports: { health } };
  },
};
