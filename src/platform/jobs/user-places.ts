import type { DataSource } from 'typeorm';
import { databaseErrorCode } from '../database/postgres-errors.js';
import { JOB_SCHEMA } from './job-database.js';
import type { JobOwner } from './job.types.js';

/** How long jobs are not looked at whose user has no place, unless one becomes free before. */
const HELD_BACK_SECONDS = 10;
/**
 * And in any case: soon after a job was held back the queue tells the end of that claim, which nobody else may have taken
 * over by then.
 */
const LEAST_SECONDS = 2;

/** So many rows are changed at once: whoever has more that wait has them looked at again a few at a time. */
const AT_ONCE = 50;

const HELD_BACK = `start_after = now() + make_interval(secs => ${HELD_BACK_SECONDS}), data = data || '{"isHeldBack": true}'`;
/**
 * What waits of a user; nobody waits for a row that another one changes. As an array it is read once: joined, a plan may read
 * it for each row, and lock others each time.
 */
const WAITING = (condition: string): string => `
  SELECT id FROM ${JOB_SCHEMA}.job
  WHERE name = $1 AND coalesce(data->'owner'->>'userId', data->>'about') = $2
    AND state IN ('created', 'retry') AND ${condition}
  ORDER BY priority DESC, created_on LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;

/** What this process has begun goes back as if it had not. */
const PUT_BACK = `
  UPDATE ${JOB_SCHEMA}.job SET ${HELD_BACK}, started_on = NULL, heartbeat_on = NULL,
    state = CASE WHEN retry_count > 0 THEN 'retry' ELSE 'created' END::${JOB_SCHEMA}.job_state
  WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;
/** What else waits is not begun in its place. */
const HOLD_BACK = `
  UPDATE ${JOB_SCHEMA}.job SET ${HELD_BACK}
  WHERE name = $1 AND id = ANY(ARRAY(${WAITING('start_after <= now()')}))`;
const LET_GO = `
  UPDATE ${JOB_SCHEMA}.job SET data = data - 'isHeldBack',
    start_after = greatest(now(), start_after - make_interval(secs => ${HELD_BACK_SECONDS - LEAST_SECONDS}))
  WHERE name = $1 AND id = ANY(ARRAY(${WAITING("data ? 'isHeldBack'")}))`;

/** One attempt of a job, as the queue tells of it. */
interface StoredAttempt {
  readonly id: string;
  readonly name: string;
  readonly retryCount: number;
  readonly data: { readonly owner?: JobOwner; readonly about?: string };
}

/**
 * The places for jobs of one kind that each user has in this process. The queue itself knows the limits of all and of a
 * tenant: a user has no more than some twenty jobs that wait, where a tenant may have any number.
 */
export class UserPlaces {
  private readonly taken = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly atOnce: number,
  ) {}

  /**
   * Makes an attempt of a job, where its user has a place for it or it has none; otherwise it waits again, with all others of
   * its user, and counts as not begun.
   * @throws what `attempt` throws
   */
  async within(job: StoredAttempt, attempt: () => Promise<void>): Promise<void> {
    const userId = job.data.owner?.userId ?? job.data.about;
    if (userId === undefined) return attempt();
    const taken = this.taken.get(userId) ?? 0;
    if (taken >= this.atOnce) return this.holdBack(job, userId);
    this.taken.set(userId, taken + 1);
    try {
      await attempt();
    } finally {
      await this.giveBack(job.name, userId);
    }
  }

  /** @throws Error that may be stored: what a database says may quote the job */
  private async holdBack({ name, id, retryCount }: StoredAttempt, userId: string): Promise<void> {
    try {
      await this.dataSource.query(PUT_BACK, [name, id, retryCount]);
    } catch (error) {
      throw new Error(`The job could not be held back (${databaseErrorCode(error)}).`);
    }
    // Others that wait are held back one by one where they are not now.
    await this.dataSource.query(HOLD_BACK, [name, userId]).catch(() => undefined);
  }

  private async giveBack(kind: string, userId: string): Promise<void> {
    const left = (this.taken.get(userId) ?? 1) - 1;
    if (left > 0) this.taken.set(userId, left);
    else this.taken.delete(userId);
    if (left !== this.atOnce - 1) return;
    // They are looked at soon in any case.
    await this.dataSource.query(LET_GO, [kind, userId]).catch(() => undefined);
  }
}
