import type { DataSource } from 'typeorm';
import type { Gauge } from '../telemetry/metrics.js';
import type { BlobState } from './blob.types.js';

const COUNTS = `
  SELECT state, count(*)::float8 AS count, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM blobs GROUP BY state`;

interface BlobCount {
  readonly state: BlobState;
  readonly count: number;
  readonly bytes: number;
}

/** How many blobs there are in each state, and how large they are together, over all processes. */
export class BlobGauges {
  private counts: readonly BlobCount[] = [];

  constructor(private readonly dataSource: DataSource) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_blobs',
      help: 'Files of all processes, by their state.',
      labels: ['state'],
      read: () => this.counts.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'platform_blob_bytes',
      help: 'Bytes of these files; of those that are being written, what is reserved.',
      labels: ['state'],
      read: () => this.counts.map(({ state, bytes }) => ({ labels: { state }, value: bytes })),
    },
  ];

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<BlobCount[]>(COUNTS);
  }
}
