import type { DataSource } from 'typeorm';
import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';

/** Records wait for a second at most. */
const LATE_SECONDS = 10;

/** Tells how the sealer does: how much waits for it, and for how long. */
export class SealerWatch {
  private unsealed = 0;

  constructor(private readonly dataSource: DataSource) {}

  readonly gauge: Gauge = {
    name: 'platform_audit_entries_unsealed',
    help: 'Audit entries that are written down and not sealed into a chain yet.',
    labels: [],
    read: () => [{ labels: {}, value: this.unsealed }],
  };

  /** Counts anew; the gauge shows it until the next time. */
  async refresh(): Promise<void> {
    const [row] = await this.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::float8 AS count FROM audit_records',
    );
    this.unsealed = row?.count ?? 0;
  }

  /** Whether somebody seals. */
  async check(): Promise<CheckState> {
    const late = `SELECT FROM audit_records WHERE created_at < now() - interval '${LATE_SECONDS} seconds' LIMIT 1`;
    return (await this.dataSource.query<object[]>(late)).length > 0 ? 'down' : 'ok';
  }
}
