import type { Domain } from '../graph/domain.js';
import { HealthResolver } from './health.resolver.js';
import { HealthService } from './health.service.js';
import type { HealthSources } from './health.service.js';

export type { HealthService } from './health.service.js';

/** What the operations domain gives to the HTTP server. */
export interface Operations extends Domain {
  readonly health: HealthService;
}

/** Wires the operations domain: how the installation does. */
export function createOperations(sources: HealthSources): Operations {
  const health = new HealthService(sources);
  return { name: 'operations', resolvers: [new HealthResolver(health)], references: [], health };
}
