import type { Pool } from 'pg';
import type { Config } from './config.js';
import type { OpenRequests } from './http/open-requests.js';
import type { Inference } from './inference/domain.js';
import type { Database } from './platform/database.js';
import { Metrics } from './platform/metrics.js';
import { RequestTrails } from './platform/request-trails.js';
import { startTracing } from './platform/tracing.js';
import type { Tracing } from './platform/tracing.js';

/** Of tenants' own backends so many are shown. */
const TENANT_BACKENDS = 200;

/** What the operator can watch the server with, beside its log. */
export interface Observability {
  readonly metrics: Metrics;
  readonly trails: RequestTrails;
  /** Undefined where no collector is configured. */
  readonly tracing?: Tracing;
}

/** Starts metrics, and traces where a collector is configured. */
export async function startObservability({ otlpEndpoint }: Config): Promise<Observability> {
  const tracing = otlpEndpoint === undefined ? undefined : await startTracing(otlpEndpoint);
  return { metrics: new Metrics(), trails: new RequestTrails(), tracing };
}

interface GaugeSources {
  readonly database: Database;
  readonly inference: Inference;
  readonly open: OpenRequests;
}

/** Adds what is only known when the metrics are asked for. */
export function addGauges(metrics: Metrics, { database, inference, open }: GaugeSources): void {
  metrics.addGauge('platform_streams_open', 'Streams that are being answered.', [], () => [
    { value: open.openStreams },
  ]);
  metrics.addGauge(
    'platform_database_connections',
    'Connections to the database, and requests that wait for one.',
    ['state'],
    () => {
      const { totalCount, idleCount, waitingCount } = (database.dataSource.driver as unknown as { master: Pool })
        .master;
      return [
        { labels: { state: 'used' }, value: totalCount - idleCount },
        { labels: { state: 'idle' }, value: idleCount },
        { labels: { state: 'waiting' }, value: waitingCount },
      ];
    },
  );
  metrics.nameModelsOf(() => inference.backends);
  metrics.addGauge('platform_backend_healthy', 'Whether a backend answers (1) or not (0).', ['backend'], () =>
    shownBackends(inference).map(({ id, healthy }) => ({ labels: { backend: id }, value: Number(healthy) })),
  );
  metrics.addGauge('platform_backend_calls_open', 'Calls that a backend is answering.', ['backend'], () =>
    shownBackends(inference).map(({ id, inFlight }) => ({ labels: { backend: id }, value: inFlight })),
  );
}

/** Those of the operator, and the first of tenants' own, of which there may be any number. */
function shownBackends({ backends }: Inference): Inference['backends'] {
  const own = backends.filter(({ tenantId }) => tenantId !== null);
  return [...backends.filter(({ tenantId }) => tenantId === null), ...own.slice(0, TENANT_BACKENDS)];
}
