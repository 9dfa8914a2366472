import type { Pool } from 'pg';
import type { Gauge } from '../telemetry/metrics.js';
import type { Database } from './database.js';

/** How the pool of connections is used. */
export function connectionGauge({ dataSource }: Database): Gauge {
  return {
    name: 'platform_database_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labels: ['state'],
    read: () => {
      const { totalCount, idleCount, waitingCount } = (dataSource.driver as unknown as { master: Pool }).master;
      return [
        { labels: { state: 'used' }, value: totalCount - idleCount },
        { labels: { state: 'idle' }, value: idleCount },
        { labels: { state: 'waiting' }, value: waitingCount },
      ];
    },
  };
}
