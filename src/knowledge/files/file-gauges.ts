import type { DataSource } from 'typeorm';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import type { KnowledgeFileStatus } from './knowledge-file.entity.js';

const COUNTS = `
  SELECT status, count(*)::float8 AS files, coalesce(sum(chunk_count), 0)::float8 AS chunks
  FROM knowledge_files WHERE deleted_at IS NULL GROUP BY status`;

interface FileCount {
  readonly status: KnowledgeFileStatus;
  readonly files: number;
  readonly chunks: number;
}

/** How many files of knowledge bases there are in each state, and passages of them, over all processes. */
export class FileGauges {
  private counts: readonly FileCount[] = [];

  constructor(private readonly dataSource: DataSource) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_knowledge_files',
      help: 'Files of knowledge bases of all processes, by their status.',
      labels: ['status'],
      read: () => this.counts.map(({ status, files }) => ({ labels: { status }, value: files })),
    },
    {
      name: 'platform_knowledge_chunks',
      help: 'Passages of these files.',
      labels: ['status'],
      read: () => this.counts.map(({ status, chunks }) => ({ labels: { status }, value: chunks })),
    },
  ];

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<FileCount[]>(COUNTS);
  }
}
