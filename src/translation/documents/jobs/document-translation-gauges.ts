import type { DataSource } from 'typeorm';
import type { JobRecords } from '../../../platform/jobs/job-records.js';
import { WatchedBacklog } from '../../../platform/jobs/watched-backlog.js';
import type { CheckState } from '../../../platform/telemetry/health.js';
import type { Gauge } from '../../../platform/telemetry/metrics.js';
import { TRANSLATION_JOB } from './translation-jobs.js';

const COUNTS = `
  SELECT status, count(*)::float8 AS count FROM document_translations WHERE deleted_at IS NULL GROUP BY status`;

interface Count {
  readonly status: string;
  readonly count: number;
}

/** How many documents are translated, in each state, over all processes, and whether one waits for too long. */
export class DocumentTranslationGauges {
  readonly gauges: readonly Gauge[];
  private readonly backlog: WatchedBacklog;
  private counts: readonly Count[] = [];

  constructor(
    private readonly dataSource: DataSource,
    jobRecords: Pick<JobRecords, 'count' | 'list'>,
  ) {
    this.backlog = new WatchedBacklog(jobRecords, {
      kind: TRANSLATION_JOB,
      metric: 'platform_document_translation',
      what: 'documents that are to be translated',
    });
    this.gauges = [
      {
        name: 'platform_document_translations',
        help: 'Documents that are translated, of all processes, by their status.',
        labels: ['status'],
        read: () => this.counts.map(({ status, count }) => ({ labels: { status }, value: count })),
      },
      this.backlog.oldestGauge,
    ];
  }

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<Count[]>(COUNTS);
    await this.backlog.read();
  }

  /** `degraded` where a document waits for over ten minutes. */
  check(): Promise<CheckState> {
    return this.backlog.check();
  }
}
