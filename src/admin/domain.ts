import type { Domain } from '../graph/domain.js';
import { HealthResolver } from './health.resolver.js';
import { HealthService } from './health.service.js';
import type { HealthSources } from './health.service.js';

export type { HealthService } from './health.service.js';

/** What the admin domain gives to the HTTP server. */
export interface Admin extends Domain {
  readonly health: HealthService;
}

/** Wires the admin domain: how the installation does. */
export function createAdmin(sources: HealthSources): Admin {
  const health = new HealthService(sources);
  return { name: 'admin', resolvers: [new HealthResolver(health)], references: [], health };
}
