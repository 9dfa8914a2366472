import { readJobBacklog } from '../../platform/jobs/job-backlog.js';
import type { JobRecords } from '../../platform/jobs/job-records.js';
import type { CheckState, HealthCheck } from '../../platform/telemetry/health.js';
import { HealthProbe } from '../../platform/telemetry/health-probe.js';
import type { ProviderHealth } from '../search/provider-health.js';
import { SearchFailure } from '../search/search-failure.js';
import type { SearchProvider } from '../search/search.types.js';
import type {
  ResearcherChecks,
  ResearcherHealth,
  ResearcherHealthDetails,
  ResearcherPartHealth,
  ResearcherQueueHealth,
} from './researcher-health.types.js';

/** How long what was seen of a provider holds; it is not asked more often for its health. */
const FRESH_MS = 60_000;
/** How long a provider may take for a question of health. */
const PROBE_MS = 5_000;
/** Any engine has pages for it. */
const PROBE_QUERY = 'time';
/** A queue in which somebody waits longer is too long. */
const LONG_WAIT_SECONDS = 60;

interface ResearcherHealthParts {
  readonly providers: readonly SearchProvider[];
  readonly providerHealth: ProviderHealth;
  readonly jobRecords: Pick<JobRecords, 'count' | 'list'>;
  /** The kind of the jobs that do research sessions. */
  readonly jobKind: string;
  readonly scraper: HealthCheck;
  readonly model: HealthCheck;
}

/**
 * Tells how the researcher does. A search provider that costs nothing is asked a question at most once a minute, however
 * often and by whomever this is asked; one that costs money is told of by the last search alone.
 */
export class ResearcherHealthService {
  private probing: Promise<unknown> | undefined;
  private readonly scraper: HealthProbe;
  private readonly model: HealthProbe;

  constructor(private readonly parts: ResearcherHealthParts) {
    this.scraper = new HealthProbe(parts.scraper);
    this.model = new HealthProbe(parts.model);
  }

  /** In words. */
  async check(): Promise<ResearcherHealth> {
    const { status, scraper, model, queue } = await this.details();
    const checks: ResearcherChecks = {
      search: this.searchState(),
      scraper: scraper.ok ? 'ok' : 'down',
      model: model.ok ? 'ok' : 'down',
      queue: stateOfQueue(queue),
    };
    return { object: 'researcher.health', status, checks };
  }

  /** In numbers. */
  async details(): Promise<ResearcherHealthDetails> {
    const { providers, providerHealth, jobRecords, jobKind } = this.parts;
    const [scraper, model, queue] = await Promise.all([
      checked('scraper', this.scraper),
      checked('model', this.model),
      readJobBacklog(jobRecords, jobKind),
      this.probe(),
    ]);
    const search = providers.map((provider) => ({ name: provider.name, ...providerHealth.stateOf(provider) }));
    const states = [this.searchState(), stateOfQueue(queue), scraper.ok ? 'ok' : 'down', model.ok ? 'ok' : 'down'];
    const isFine = states.every((state) => state === 'ok' || state === 'off');
    const status = states[0] === 'down' ? 'down' : isFine ? 'ok' : 'degraded';
    return { object: 'researcher.health', status, search, scraper, model, queue };
  }

  private searchState(): CheckState {
    const states = this.parts.providers.map((provider) => this.parts.providerHealth.stateOf(provider).state);
    if (states.length === 0) return 'off';
    if (states.every((state) => state === 'ok')) return 'ok';
    return states.every((state) => state === 'down') ? 'down' : 'degraded';
  }

  /** Asks the providers that cost nothing and were not asked for a while; all who wait for that wait together. */
  private probe(): Promise<unknown> {
    this.probing ??= Promise.all(this.parts.providers.filter(this.isDue).map(this.ask)).finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  private readonly isDue = (provider: SearchProvider): boolean => {
    const { checkedAt } = this.parts.providerHealth.stateOf(provider);
    return provider.isFree && (checkedAt === null || Date.now() - checkedAt.getTime() > FRESH_MS);
  };

  private readonly ask = async (provider: SearchProvider): Promise<void> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new SearchFailure('timeout')), PROBE_MS);
    const question = { query: PROBE_QUERY, count: provider.pageSize, offset: 0, signal: late.signal };
    try {
      await this.parts.providerHealth.watch(provider, () => provider.search(question));
    } catch {
      // How it failed is what was asked for.
    } finally {
      clearTimeout(timer);
    }
  };
}

async function checked(name: string, probe: HealthProbe): Promise<ResearcherPartHealth> {
  const startedAt = performance.now();
  const state = await probe.state();
  const latencyMs = Math.round(performance.now() - startedAt);
  const isDown = state === 'down';
  return { name, ok: !isDown, latencyMs, error: isDown ? 'down' : null, checkedAt: new Date() };
}

function stateOfQueue({ oldestSeconds }: ResearcherQueueHealth): CheckState {
  return (oldestSeconds ?? 0) > LONG_WAIT_SECONDS ? 'degraded' : 'ok';
}
