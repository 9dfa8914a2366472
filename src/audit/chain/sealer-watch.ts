import type { DataSource } from 'typeorm';
import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';

/** Records wait for a second at most. */
const LATE_SECONDS = 10;

const LOOK = `
  SELECT EXISTS (SELECT FROM audit_records) AS "isWaiting",
    (SELECT encode(mac, 'hex') FROM audit_digests WHERE name = 'chains') AS sealed`;

const LATE = `SELECT FROM audit_records WHERE created_at < now() - interval '${LATE_SECONDS} seconds' LIMIT 1`;

/** Tells how the sealer does: how much waits for it, and for how long. */
export class SealerWatch {
  private unsealed = 0;
  /** What was sealed when records were first seen to wait, and when that was; undefined: none waits. */
  private standstill: { readonly sealed: string | null; readonly sinceMs: number } | undefined;

  /** @param nowMs a clock that is never set */
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
    // By our own clock: whoever writes to the database can give a record any date.
    const isStill = this.standstill && this.nowMs() - this.standstill.sinceMs > LATE_SECONDS * 1_000;
    if (isStill || (await this.dataSource.query<object[]>(LATE)).length > 0) return 'down';
    const broken = 'SELECT FROM audit_chains WHERE broken_sequence IS NOT NULL LIMIT 1';
    return (await this.dataSource.query<object[]>(broken)).length > 0 ? 'degraded' : 'ok';
  }

  /** Whatever is sealed changes the digest of all chains. */
  private async look(): Promise<void> {
    const [row] = await this.dataSource.query<{ isWaiting: boolean; sealed: string | null }[]>(LOOK);
    if (!row?.isWaiting) this.standstill = undefined;
    else if (this.standstill?.sealed !== row.sealed) this.standstill = { sealed: row.sealed, sinceMs: this.nowMs() };
  }
}
