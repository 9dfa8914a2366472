import type { Caller } from '../access/caller.js';
import { permitsOf } from '../domain-module.js';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { IdentityPorts } from '../identity/domain.js';
import type { InferencePorts } from '../inference/domain.js';
import type { KnowledgePorts } from '../knowledge/domain.js';
import type { MeteringPorts } from '../metering/domain.js';
import type { HealthCheck } from '../platform/telemetry/health.js';
import { researcherConfig } from './config.js';
import type { ResearcherConfig } from './config.js';
import { CredibilityConfig } from './credibility/credibility-config.entity.js';
import { CredibilityResolver } from './credibility/credibility.resolver.js';
import { CredibilityService } from './credibility/credibility.service.js';
import { ERASE_JOB, ResearchErasure } from './erasure/research-erasure.js';
import { SessionEventsResolver } from './events/session-events.resolver.js';
import { researchFeeds, SessionEventsService } from './events/session-events.service.js';
import { ResearcherHealthResolver } from './health/researcher-health.resolver.js';
import { ResearcherHealthService } from './health/researcher-health.service.js';
import { Credibility1795432800000 } from './migrations/1795432800000-credibility.js';
import { ResearchSessions1795468000000 } from './migrations/1795468000000-research-sessions.js';
import { AnswersResolver } from './answers/answers.resolver.js';
import { AnswersService } from './answers/answers.service.js';
import { ScrapeResolver } from './scrape/scrape.resolver.js';
import { ScrapeService } from './scrape/scrape.service.js';
import { RunOpener } from './pipeline/open-run.js';
import { ResearchJobs } from './pipeline/research-jobs.js';
import { SessionRights } from './pipeline/session-rights.js';
import { SourceTexts } from './pipeline/source-step.js';
import { knowledgeReader } from './reading/knowledge-reader.js';
import { PageReading } from './reading/page-reading.js';
import { SnapshotStore } from './reading/snapshot-store.js';
import { ProviderHealth } from './search/provider-health.js';
import type { SearchProvider } from './search/search.types.js';
import { createProviders } from './search/providers/providers.js';
import { WebSearchResolver } from './search/search.resolver.js';
import { WebSearch } from './search/web-search.js';
import { AbandonedSessions } from './sessions/abandoned-sessions.js';
import { ResearchEvent } from './sessions/research-event.entity.js';
import { ResearchNotifier } from './sessions/research-notifier.js';
import { ResearchSession } from './sessions/research-session.entity.js';
import { readRule, ResearchSessionResolver } from './sessions/research-session.resolver.js';
import { ResearchSessionsService } from './sessions/research-sessions.service.js';
import { ResearchSource } from './sessions/research-source.entity.js';
import { ResearchStep } from './sessions/research-step.entity.js';
import { SessionContents } from './sessions/session-contents.js';
import { SessionGauges } from './sessions/session-gauges.js';
import { SESSION_JOB } from './sessions/session-job.js';

const COUNT_MS = 60_000;
const ABANDONED_MS = 60_000;
/** How long readers miss at most what a lost message has told of. */
const MISSED_MS = 5_000;

/** The ports of earlier domains that the researcher uses. */
type ResearcherNeeds = InferencePorts &
  KnowledgePorts &
  Pick<IdentityPorts, 'apiTokenAllows'> &
  Pick<MeteringPorts, 'storageLimits'>;

/** Answers from the web and from knowledge bases, every sentence of which can be checked. */
export const researcher: DomainModule<typeof researcherConfig, ResearcherNeeds, object> = {
  name: 'researcher',
  config: researcherConfig,
  entities: [CredibilityConfig, ResearchSession, ResearchSource, ResearchStep, ResearchEvent],
  migrations: [Credibility1795432800000, ResearchSessions1795468000000],
  create: createResearcher,
};

async function createResearcher(host: Host<ResearcherConfig>, ports: ResearcherNeeds): Promise<DomainParts<object>> {
  const { audit, config, database, extractor, log, version } = host;
  const credibility = new CredibilityService(database.dataSource, audit);
  const providers = createProviders(config);
  const providerHealth = new ProviderHealth();
  const web = new WebSearch({ providers, health: providerHealth });
  const reading = new PageReading({ config, processes: config.extractionProcesses, extractor, version, log });
  const { sessions, ...parts } = createSessions(host, ports, { credibility, web, reading });
  return {
    ...parts,
    resolvers: [
      ...parts.resolvers,
      new WebSearchResolver(web, credibility),
      new ScrapeResolver(new ScrapeService({ reader: reading.sources, credibility })),
      new AnswersResolver(new AnswersService({ models: ports.models, reader: reading.sources, credibility })),
      new CredibilityResolver(credibility),
      new ResearcherHealthResolver(createHealth(host, providers, providerHealth)),
    ],
    references: [
      {
        type: 'ResearchSession',
        access: readRule,
        resolve: byId(entityLoader((caller, ids) => sessions.find(caller, ids))),
      },
    ],
    eraseTenant: async (tenant, erasure) => {
      await parts.eraseTenant(tenant, erasure);
      await erasure.transaction(async (tx) => void (await tx.delete(CredibilityConfig, { tenantId: tenant.id })));
    },
    gauges: [...parts.gauges, ...reading.gauges],
    ports: {},
    close: async () => {
      parts.close();
      await reading.close();
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

interface SessionNeeds {
  readonly credibility: CredibilityService;
  readonly web: WebSearch;
  readonly reading: PageReading;
}

/** Research sessions: what people do with them, what the server does by itself, and what is told of them. */
function createSessions(host: Host<ResearcherConfig>, ports: ResearcherNeeds, needs: SessionNeeds) {
  const { audit, blobs, database, jobs, topics } = host;
  const { dataSource } = database;
  const { canReadBases, models } = ports;
  const { credibility, web } = needs;
  const notifier = new ResearchNotifier(topics);
  const runs = createRuns(host, ports, needs, notifier.changed);
  const erasure = new ResearchErasure({ dataSource, jobs, blobs, cancelled: notifier.cancelled });
  const feeds = researchFeeds(dataSource, notifier);
  const counts = new SessionGauges(dataSource);
  const abandoned = new AbandonedSessions({ dataSource, audit, changed: notifier.changed });
  const checkModel = (caller: Caller, model: string) => models.check(caller, model, 'chat');
  const given = { credibility, web, checkModel, canReadBases, erasure, notifier };
  const sessions = new ResearchSessionsService({ dataSource, audit, jobs, ...given });
  return {
    sessions,
    resolvers: [
      new ResearchSessionResolver(sessions, new SessionContents(dataSource)),
      new SessionEventsResolver(new SessionEventsService(dataSource, feeds)),
    ],
    gauges: counts.gauges,
    tasks: [
      { name: 'counting research sessions', intervalMs: COUNT_MS, run: () => counts.refresh() },
      { name: 'ending research sessions whose jobs are over', intervalMs: ABANDONED_MS, run: () => abandoned.end() },
      { name: 'looking for missed events of research', intervalMs: MISSED_MS, run: () => feeds.refresh() },
    ],
    jobHandlers: { [SESSION_JOB]: runs.handler, [ERASE_JOB]: erasure.handler },
    eraseUser: erasure.eraseUser,
    eraseTenant: erasure.eraseTenant,
    close: () => {
      feeds.close();
      notifier.close();
    },
  };
}

/** What does the jobs of sessions. */
function createRuns(
  { audit, blobs, contributions, database: { dataSource } }: Host<ResearcherConfig>,
  { apiTokenAllows, canReadBases, knowledgeSearch, models, storageLimits }: ResearcherNeeds,
  { credibility, reading, web }: SessionNeeds,
  changed: (sessionId: string) => void,
): ResearchJobs {
  const snapshots = new SnapshotStore({ blobs, storageLimits });
  const knowledge = knowledgeReader(knowledgeSearch);
  const texts = new SourceTexts({ reader: reading.sources, knowledge });
  const rights = new SessionRights({ permits: permitsOf(contributions), apiTokenAllows, canReadBases });
  const opener = new RunOpener({ dataSource, models, web, knowledge, credibility, snapshots, texts, rights });
  return new ResearchJobs({ dataSource, audit, rights, open: opener.open, changed });
}

function createHealth(
  host: Host<ResearcherConfig>,
  providers: readonly SearchProvider[],
  providerHealth: ProviderHealth,
): ResearcherHealthService {
  return new ResearcherHealthService({
    providers,
    providerHealth,
    jobRecords: host.jobRecords,
    jobKind: SESSION_JOB,
    // Pages are read by connections of their own: there is nothing that could be away.
    scraper: () => 'ok',
    model: checkNamed(host, 'backends'),
  });
}

/** A check that another part contributes, by its name there. */
function checkNamed({ contributions }: Pick<Host<object>, 'contributions'>, name: string): HealthCheck {
  return (signal) =>
    contributions()
      .find(({ health }) => health && Object.hasOwn(health, name))
      ?.health?.[name]?.(signal) ?? 'off';
}
