import type { DataSource } from 'typeorm';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import type { KnowledgeFileStatus } from './knowledge-file.entity.js';

const COUNTS = `
  SELECT status, count(*)::float8 AS files, coalesce(sum(chunk_count), 0)::float8 AS chunks
  FROM knowledge_files WHERE deleted_at IS NULL GROUP BY status`;

const LACKING = `
  SELECT count(*)::float8 AS count FROM knowledge_indexes i JOIN knowledge_bases b ON b.id = i.base_id
  WHERE i.state = 'active' AND i.lacks_vectors AND b.deleted_at IS NULL`;

interface FileCount {
  readonly status: KnowledgeFileStatus;
  readonly files: number;
  readonly chunks: number;
}

/** What knowledge bases hold, over all processes. */
export class FileGauges {
  private counts: readonly FileCount[] = [];

  /** Bases with passages that were written while the database had no pgvector. */
  basesWithoutVectors = 0;

  private constructor(private readonly dataSource: DataSource) {}

  /** Counts before the first answer of the health. */
  static async open(dataSource: DataSource): Promise<FileGauges> {
    const gauges = new FileGauges(dataSource);
    await gauges.refresh();
    return gauges;
  }

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
    {
      name: 'platform_knowledge_bases_without_vectors',
      help: 'Knowledge bases with passages that have no vectors.',
      labels: [],
      read: () => [{ labels: {}, value: this.basesWithoutVectors }],
    },
  ];

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<FileCount[]>(COUNTS);
    const [lacking] = await this.dataSource.query<{ count: number }[]>(LACKING);
    this.basesWithoutVectors = lacking?.count ?? 0;
  }
}
