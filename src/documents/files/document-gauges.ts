import type { DataSource } from 'typeorm';
import type { Gauge } from '../../platform/telemetry/metrics.js';

const COUNTS = `
  SELECT 'documents' AS of, status, count(*)::float8 AS count FROM documents WHERE deleted_at IS NULL GROUP BY status
  UNION ALL
  SELECT 'values', v.status, count(*)::float8 FROM document_values v
  JOIN documents d ON d.id = v.document_id AND d.deleted_at IS NULL WHERE v.status <> 'extracted' GROUP BY v.status`;

interface Count {
  readonly of: 'documents' | 'values';
  readonly status: string;
  readonly count: number;
}

/** How many documents and reviewed values there are in each state, over all processes. */
export class DocumentGauges {
  private counts: readonly Count[] = [];

  constructor(private readonly dataSource: DataSource) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_documents',
      help: 'Documents of sessions of all processes, by their status.',
      labels: ['status'],
      read: () => this.read('documents'),
    },
    {
      name: 'platform_document_review_items',
      help: 'Values of these documents that wait for a person, or had to, by their status.',
      labels: ['status'],
      read: () => this.read('values'),
    },
  ];

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<Count[]>(COUNTS);
  }

  private read(of: Count['of']) {
    return this.counts
      .filter((one) => one.of === of)
      .map(({ status, count }) => ({ labels: { status }, value: count }));
  }
}
