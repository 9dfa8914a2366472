import type { DataSource } from 'typeorm';
import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';

/** The oldest record waits for a second at most. */
const LATE_MS = 10_000;

/** Records that are looked at: the sealer takes more at a time. */
const WATCHED = 100;

/** What became of records, and which are the oldest now: as of one moment. */
const LOOK = `
  SELECT ARRAY(SELECT id FROM audit_records WHERE id = ANY ($1)) AS left,
    EXISTS (SELECT FROM audit_entries WHERE id = ANY ($1)) AS "isSealed",
    ARRAY(SELECT id FROM audit_records ORDER BY ordinal LIMIT ${WATCHED}) AS oldest`;

interface Look {
  /** The ids of those that wait still. */
  readonly left: readonly string[];
  /** Whether one of them is an entry now. */
  readonly isSealed: boolean;
  readonly oldest: readonly string[];
}

/** Tells how the sealer does: how much waits for it, and for how long. */
export class SealerWatch {
  private unsealed = 0;
  /** The oldest records that wait, by their ids, and since when none was seen to be sealed; undefined: none waits. */
  private waiting: { readonly ids: readonly string[]; readonly sinceMs: number } | undefined;

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

  /**
   * Records are sealed in their order, which anybody can change who writes to the database. So they are known by their
   * ids, and have not waited less where they are gone and none of them was sealed.
   */
  private async look(): Promise<void> {
    const { waiting } = this;
    const [row] = await this.dataSource.query<Look[]>(LOOK, [waiting?.ids ?? []]);
    const { left = [], isSealed = false, oldest = [] } = row ?? {};
    if (oldest.length === 0) this.waiting = undefined;
    else if (waiting && left.length > 0) this.waiting = { ...waiting, ids: left };
    else this.waiting = { ids: oldest, sinceMs: waiting && !isSealed ? waiting.sinceMs : this.nowMs() };
  }
}
