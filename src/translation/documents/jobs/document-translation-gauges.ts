import type { DataSource } from 'typeorm';
import type { Gauge } from '../../../platform/telemetry/metrics.js';

const COUNTS = `
  SELECT status, count(*)::float8 AS count FROM document_translations WHERE deleted_at IS NULL GROUP BY status`;

interface Count {
  readonly status: string;
  readonly count: number;
}

/** How many documents are translated, in each state, over all processes. */
export class DocumentTranslationGauges {
  private counts: readonly Count[] = [];

  constructor(private readonly dataSource: DataSource) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_document_translations',
      help: 'Documents that are translated, of all processes, by their status.',
      labels: ['status'],
      read: () => this.counts.map(({ status, count }) => ({ labels: { status }, value: count })),
    },
  ];

  /** Counts anew; the gauge shows it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<Count[]>(COUNTS);
  }
}
