import type { DataSource } from 'typeorm';
import type { Gauge } from '../../platform/telemetry/metrics.js';

const COUNTS = `
  SELECT status, count(*)::float8 AS count, coalesce(sum(duration_seconds), 0)::float8 AS seconds
  FROM recordings WHERE deleted_at IS NULL GROUP BY status`;

interface Count {
  readonly status: string;
  readonly count: number;
  readonly seconds: number;
}

/** How many recordings there are in each state, and how long they are together, over all processes. */
export class RecordingGauges {
  private counts: readonly Count[] = [];

  constructor(private readonly dataSource: DataSource) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_recordings',
      help: 'Recordings of all processes, by their status.',
      labels: ['status'],
      read: () => this.counts.map(({ status, count }) => ({ labels: { status }, value: count })),
    },
    {
      name: 'platform_recording_seconds',
      help: 'Length of the audio of these recordings together, as far as it was decoded.',
      labels: ['status'],
      read: () => this.counts.map(({ status, seconds }) => ({ labels: { status }, value: seconds })),
    },
  ];

  /** Counts anew; the gauges show it until the next time. */
  async refresh(): Promise<void> {
    this.counts = await this.dataSource.query<Count[]>(COUNTS);
  }
}
