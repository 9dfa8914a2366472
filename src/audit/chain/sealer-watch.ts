import type { DataSource } from 'typeorm';
import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';

/** The oldest record waits for a second at most. */
const LATE_MS = 10_000;

const OLDEST = 'SELECT min(ordinal)::float8 AS oldest FROM audit_records';

/** Tells how the sealer does: how much waits for it, and for how long. */
export class SealerWatch {
  private unsealed = 0;
  /** The oldest record that waits, and when it was first seen to; undefined: none waits. */
  private waiting: { readonly oldest: number; readonly sinceMs: number } | undefined;

  /** @param nowMs a clock that is never set: whoever writes to the database can give a record any date */
  constructor(
    private readonly dataSource: DataSource,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  readonly gauge: Gauge = {
    name: 'platform_audit_entries_unsealed',
    help: 'Audit entries that are written down and not sealed into a chain yet.',
    labels: [],
    read: () => [{ labels: {}, value: this.unsealed }],
  };

  /** Looks anew; the gauge shows it until the next time. */
  async refresh(): Promise<void> {
    const sql = 'SELECT count(*)::float8 AS count FROM audit_records';
    const [row] = await this.dataSource.query<{ count: number }[]>(sql);
    this.unsealed = row?.count ?? 0;
    await this.look();
  }

  /** Whether somebody seals, and no chain was found to be broken. */
  async check(): Promise<CheckState> {
    await this.look();
    if (this.waiting && this.nowMs() - this.waiting.sinceMs > LATE_MS) return 'down';
    const broken = 'SELECT FROM audit_chains WHERE broken_sequence IS NOT NULL LIMIT 1';
    return (await this.dataSource.query<object[]>(broken)).length > 0 ? 'degraded' : 'ok';
  }

  /** Records are sealed in their order. One that comes late to an earlier place has not waited less by that. */
  private async look(): Promise<void> {
    const [row] = await this.dataSource.query<{ oldest: number | null }[]>(OLDEST);
    const oldest = row?.oldest ?? null;
    if (oldest === null) this.waiting = undefined;
    else if (!this.waiting || oldest > this.waiting.oldest) this.waiting = { oldest, sinceMs: this.nowMs() };
  }
}
