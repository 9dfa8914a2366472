import type { DataSource } from 'typeorm';
import { databaseErrorCode } from '../database/postgres-errors.js';
import { JOB_SCHEMA } from './job-database.js';
import { isForStore } from './job-stores.js';
import type { JobOwner } from './job.types.js';
import { PUT_BACK_SECONDS, putBack } from './put-back.js';
import type { ClaimedJob } from './put-back.js';

/** How long jobs are not looked at whose user has no place, unless one becomes free before. */
const HELD_BACK_SECONDS = 10;

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
    AND state IN ('created', 'retry') AND ${condition} AND ${isForStore('data', '$3')}
  ORDER BY priority DESC, created_on LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;

/** What else waits is not begun in its place. */
const HOLD_BACK = `
  UPDATE ${JOB_SCHEMA}.job SET ${HELD_BACK}
  WHERE name = $1 AND id = ANY(ARRAY(${WAITING('start_after <= now()')}))`;
const LET_GO = `
  UPDATE ${JOB_SCHEMA}.job SET data = data - 'isHeldBack',
    start_after = greatest(now(), start_after - make_interval(secs => ${HELD_BACK_SECONDS - PUT_BACK_SECONDS}))
  WHERE name = $1 AND id = ANY(ARRAY(${WAITING("data ? 'isHeldBack'")}))`;

/** One attempt of a job, as the queue tells of it. */
interface StoredAttempt extends ClaimedJob {
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
    /** Of files that this process has: what other processes alone can do is left to them. */
    private readonly storeId: () => Promise<string | undefined>,
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
  private async holdBack(job: StoredAttempt, userId: string): Promise<void> {
    try {
      await putBack(this.dataSource, job, HELD_BACK_SECONDS, { isHeldBack: true });
    } catch (error) {
      throw new Error(`The job could not be held back (${databaseErrorCode(error)}).`);
    }
    // Others that wait are held back one by one where they are not now.
    await this.changeWaiting(HOLD_BACK, job.name, userId);
  }

  private async giveBack(kind: string, userId: string): Promise<void> {
    const left = (this.taken.get(userId) ?? 1) - 1;
    if (left > 0) this.taken.set(userId, left);
    else this.taken.delete(userId);
    if (left !== this.atOnce - 1) return;
    // They are looked at soon in any case.
    await this.changeWaiting(LET_GO, kind, userId);
  }

  private async changeWaiting(sql: string, kind: string, userId: string): Promise<void> {
    const store = (await this.storeId()) ?? '';
    await this.dataSource.query(sql, [kind, userId, store]).catch(() => undefined);
  }
}
