import { z } from 'zod';
import type { DomainModule } from '../domain-module.js';
import { HealthResolver } from './health.resolver.js';
import { HealthService } from './health.service.js';
import { JobsResolver } from './jobs.resolver.js';
import { JobsService } from './jobs.service.js';

/** What operations gives to the transports. */
export interface OperationsPorts {
  readonly health: HealthService;
}

const operationsConfig = z.object({});

/** How the installation does, and what it does in the background. */
export const operations: DomainModule<typeof operationsConfig, object, OperationsPorts> = {
  name: 'operations',
  config: operationsConfig,
  entities: [],
  migrations: [],
  async create({ audit, database, version, contributions, jobs, jobRecords }) {
    const health = new HealthService(version, () =>
      Object.assign({}, ...contributions().map((contribution) => contribution.health)),
    );
    const service = new JobsService(database.dataSource, jobs, jobRecords, audit);
    const resolvers = [new HealthResolver(health), new JobsResolver(service)];
    return { resolvers, references: [], ports: { health } };
  },
};
