import type { Database } from '../../platform/database/database.js';

/** Rows in one statement; the embedded database's only connection must not be held for longer than 10 ms. */
const ROWS = 5_000;
const EMBEDDED_ROWS = 200;

const ROLL_UP = 'SELECT roll_up_usage($1) AS rows';

/** Claims can be asked for again for a day. */
const PURGE_CLAIMS = `
  UPDATE calls SET claim_id = NULL, claim_fingerprint = NULL, sealed_answer = NULL
  WHERE id IN (SELECT id FROM calls WHERE claim_id IS NOT NULL AND state <> 'open'
               AND created_at < now() - interval '24 hours' LIMIT $1)`;
const PURGE_OPERATIONS = `
  DELETE FROM calls
  WHERE id IN (SELECT id FROM calls WHERE area IS NULL AND settled_at < now() - interval '24 hours' LIMIT $1)`;
/** Only what is counted in the hours already. */
const PURGE_CALLS = `
  DELETE FROM calls
  WHERE id IN (SELECT id FROM calls WHERE settled_at < now() - make_interval(days => $2)
               AND settled_at < (SELECT rolled_up_to FROM usage_watermark) LIMIT $1)`;
const PURGE_HOURS = `
  DELETE FROM usage_hours
  WHERE (tenant_id, user_id, hour, area, model) IN (
    SELECT tenant_id, user_id, hour, area, model FROM usage_hours
    WHERE hour < now() - make_interval(days => $2) LIMIT $1)`;

/** How long records are kept; 0: for ever. */
export interface Retention {
  readonly callsDays: number;
  readonly hoursDays: number;
}

/** Counts settled calls into hours, and forgets what need not be kept any longer. Any number of replicas may do so. */
export class UsageMaintenance {
  private readonly rows: number;

  constructor(
    private readonly database: Pick<Database, 'dataSource' | 'embedded'>,
    private readonly retention: Retention,
  ) {
    this.rows = database.embedded ? EMBEDDED_ROWS : ROWS;
  }

  /** Counts what was settled up to 20 s ago: by then every flush that has begun is over. */
  async rollUp(): Promise<void> {
    for (;;) {
      const [row] = await this.database.dataSource.query<{ rows: number }[]>(ROLL_UP, [this.rows]);
      if ((row?.rows ?? 0) < this.rows) return;
    }
  }

  /** Forgets what is older than its time. */
  async purgeExpired(): Promise<void> {
    const { callsDays, hoursDays } = this.retention;
    await this.inSlices(PURGE_CLAIMS, []);
    await this.inSlices(PURGE_OPERATIONS, []);
    if (callsDays > 0) await this.inSlices(PURGE_CALLS, [callsDays]);
    if (hoursDays > 0) await this.inSlices(PURGE_HOURS, [hoursDays]);
  }

  private async inSlices(sql: string, values: readonly unknown[]): Promise<void> {
    for (;;) {
      // What TypeORM answers for a statement that changes rows.
      const answer = await this.database.dataSource.query<[unknown[], number]>(sql, [this.rows, ...values]);
      if (answer[1] < this.rows) return;
    }
  }
}
