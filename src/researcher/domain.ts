import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { HealthCheck } from '../platform/telemetry/health.js';
import { researcherConfig } from './config.js';
import type { ResearcherConfig } from './config.js';
import { CredibilityConfig } from './credibility/credibility-config.entity.js';
import { CredibilityResolver } from './credibility/credibility.resolver.js';
import { CredibilityService } from './credibility/credibility.service.js';
import { ResearcherHealthResolver } from './health/researcher-health.resolver.js';
import { ResearcherHealthService } from './health/researcher-health.service.js';
import { Credibility1795432800000 } from './migrations/1795432800000-credibility.js';
import { ProviderHealth } from './search/provider-health.js';
import { createProviders } from './search/providers/providers.js';
import { WebSearchResolver } from './search/search.resolver.js';
import { WebSearch } from './search/web-search.js';

/** The kind of jobs that do research sessions. */
const SESSION_JOB = 'researcher.session';

/** Answers from the web and from knowledge bases, every sentence of which can be checked. */
export const researcher: DomainModule<typeof researcherConfig, object, object> = {
  name: 'researcher',
  config: researcherConfig,
  entities: [CredibilityConfig],
  migrations: [Credibility1795432800000],
  create: createResearcher,
};

async function createResearcher(host: Host<ResearcherConfig>): Promise<DomainParts<object>> {
  const { audit, config, database, jobRecords } = host;
  const credibility = new CredibilityService(database.dataSource, audit);
  const providers = createProviders(config);
  const providerHealth = new ProviderHealth();
  const web = new WebSearch({ providers, health: providerHealth });
  const health = new ResearcherHealthService({
    providers,
    providerHealth,
    jobRecords,
    jobKind: SESSION_JOB,
    // Pages are read by connections of their own: there is nothing that could be away.
    scraper: () => 'ok',
    model: checkNamed(host, 'backends'),
  });
  return {
    resolvers: [
      new WebSearchResolver(web, credibility),
      new CredibilityResolver(credibility),
      new ResearcherHealthResolver(health),
    ],
    references: [],
    eraseTenant: async ({ id }, { transaction }) => {
      await transaction(async (tx) => void (await tx.delete(CredibilityConfig, { tenantId: id })));
    },
    ports: {},
    close: async () => {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

/** A check that another part contributes, by its name there. */
function checkNamed({ contributions }: Pick<Host<object>, 'contributions'>, name: string): HealthCheck {
  return () =>
    contributions()
      .find(({ health }) => health && Object.hasOwn(health, name))
      ?.health?.[name]?.() ?? 'off';
}
