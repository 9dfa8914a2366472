import type { Pool } from 'pg';
import type { Gauge } from '../telemetry/metrics.js';
import type { Database } from './database.js';

/** How the pool of connections is used, and the places for long reads. */
export function connectionGauges({ dataSource, longReads }: Database): Gauge[] {
  const connections: Gauge = {
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
  const reads: Gauge = {
    name: 'platform_database_long_reads',
    help: 'Large queries of callers that run, and that wait for a place.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'running' }, value: longReads.taken },
      { labels: { state: 'waiting' }, value: longReads.waiting },
    ],
  };
  return [connections, reads];
}
