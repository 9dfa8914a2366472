import type { DataSource } from 'typeorm';
import type { Gauge } from '../telemetry/metrics.js';
import { JOB_SCHEMA } from './job-database.js';

const COUNTS = `
  SELECT name AS kind, CASE state::text WHEN 'created' THEN 'waiting' WHEN 'retry' THEN 'retrying'
                                        WHEN 'active' THEN 'running' ELSE 'failed' END AS status,
         count(*)::integer AS count
  FROM ${JOB_SCHEMA}.job WHERE state IN ('created', 'retry', 'active', 'failed') GROUP BY 1, 2`;

interface JobCount {
  readonly kind: string;
  readonly status: string;
  readonly count: number;
}

/** How many jobs wait, run and have failed, over all processes. */
export class JobGauge {
  private counts: readonly JobCount[] = [];

  /** @param kinds those that there are; the queue has some of its own */
  constructor(
    private readonly dataSource: DataSource,
    private readonly kinds: () => readonly string[],
  ) {}

  readonly gauge: Gauge = {
    name: 'platform_jobs',
    help: 'Jobs of all processes that are not over, and those that have failed for good.',
    labels: ['kind', 'status'],
    read: () => this.counts.map(({ kind, status, count }) => ({ labels: { kind, status }, value: count })),
  };

  /** Counts anew; the gauge shows it until the next time. */
  async refresh(): Promise<void> {
    const kinds = this.kinds();
    if (kinds.length === 0) return;
    const counts = await this.dataSource.query<JobCount[]>(COUNTS);
    this.counts = counts.filter(({ kind }) => kinds.includes(kind));
  }
}
