import type { Pool } from 'pg';
import type { OpenRequests } from './http/open-requests.js';
import type { Inference } from './inference/domain.js';
import type { Database } from './platform/database/database.js';
import type { Metrics } from './platform/telemetry/metrics.js';

/** Of tenants' own backends so many are shown. */
const TENANT_BACKENDS = 200;

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
