import { createHash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { Job } from '../../platform/jobs/job.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { appendEvents } from '../sessions/append-events.js';
import type { NewEvent } from '../sessions/append-events.js';
import { statusEvent } from '../sessions/session-events.js';
import { ResearchSession } from '../sessions/research-session.entity.js';
import type { ResearchStatus } from '../sessions/research-session.entity.js';
import { ResearchStep } from '../sessions/research-step.entity.js';
import type { ResearchStepKind } from '../sessions/research-step.entity.js';

/** Whoever cancels or deletes a session waits for this transaction, and the next one finds that. */
const LOCK = `
  SELECT status FROM research_sessions
  WHERE id = $1 AND run = $2 AND deleted_at IS NULL AND status NOT IN ('completed', 'failed', 'cancelled') FOR UPDATE`;
const INSERT = `
  INSERT INTO research_steps (session_id, kind, hash, "position", title, result, created_at)
  SELECT $1, $2, $3, (SELECT count(*) + 1 FROM research_steps WHERE session_id = $1), $4, $5, now()`;
const PROGRESS = 'UPDATE research_sessions SET progress = greatest(progress, $2) WHERE id = $1';

/** The session was cancelled or deleted, or begun anew: this run ends. */
export class RunEnded extends Error {}

/** What is done, and what it is done with: the same step is done once. */
export interface StepRequest {
  readonly kind: ResearchStepKind;
  /** All that the result depends on. */
  readonly input: JsonObject;
  /** What people are told of it. */
  readonly title: string;
  /** How far the session is while it is done. */
  readonly status: ResearchStatus;
  /** The share of the session that is done with it, from 0 to 1. */
  readonly progress: number;
}

/** What a step has come to. */
export interface StepOutcome<Result> {
  readonly result: Result;
  readonly events: readonly NewEvent[];
  /** What else is written in the transaction of the step. */
  readonly write?: (tx: EntityManager) => Promise<void>;
  /** Gives up what was made for it, where it is not written. */
  readonly discard?: () => Promise<void>;
}

/** What tells a step of a kind from others. */
export function stepHash(input: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}

/** The steps of one run of a session: each is stored with its events and all that it writes in one transaction, once. */
export class StepLog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly session: Pick<ResearchSession, 'id' | 'run'>,
    private readonly job: Pick<Job, 'transaction'>,
    /** Told when the session has new events. */
    private readonly changed: (sessionId: string) => void,
  ) {}

  /**
   * The result of a step, which is done where it was not before.
   * @param work may be done again after a crash; what it has changed elsewhere must not matter
   * @throws RunEnded; what `work` throws
   */
  async once<Result extends JsonObject>(
    { kind, input, title, status, progress }: StepRequest,
    work: () => Promise<StepOutcome<Result>>,
  ): Promise<Result> {
    const hash = stepHash(input);
    const { id: sessionId } = this.session;
    const done = await this.dataSource.manager.findOneBy(ResearchStep, { sessionId, kind, hash });
    if (done) return done.result as Result;
    await this.begin(status);
    const { result, events, write, discard } = await work();
    try {
      await this.transaction(async (tx) => {
        await tx.query(INSERT, [sessionId, kind, hash, title, JSON.stringify(result)]);
        await write?.(tx);
        await appendEvents(tx, sessionId, events);
        await tx.query(PROGRESS, [sessionId, progress]);
      });
    } catch (error) {
      await discard?.();
      throw error;
    }
    this.changed(sessionId);
    return result;
  }

  /** Says how far the session is, with an event where that has changed. @throws RunEnded */
  async begin(status: ResearchStatus): Promise<void> {
    await this.transaction(async (tx, before) => {
      if (before === status) return;
      await tx.query('UPDATE research_sessions SET status = $2 WHERE id = $1', [this.session.id, status]);
      const { progress } = await tx.findOneByOrFail(ResearchSession, { id: this.session.id });
      await appendEvents(tx, this.session.id, [statusEvent({ status, progress })]);
    });
    this.changed(this.session.id);
  }

  /**
   * A transaction that holds the row of the session.
   * @throws RunEnded where the session is over, deleted or begun anew; Error where the job is another process's
   */
  transaction<T>(work: (tx: EntityManager, status: ResearchStatus) => Promise<T>): Promise<T> {
    const { id, run } = this.session;
    return this.job.transaction(async (tx) => {
      const [session] = await tx.query<{ status: ResearchStatus }[]>(LOCK, [id, run]);
      if (!session) throw new RunEnded();
      return work(tx, session.status);
    });
  }
}
