import { In, IsNull, Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { Forbidden, PlatformError, QuotaExceeded, StorageExceeded, Unavailable } from '../../errors.js';
import { ELSEWHERE_SECONDS, LAST_ATTEMPT } from '../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { ModelFailed } from '../analysts/model-caller.js';
import { appendEvents } from '../sessions/append-events.js';
import type { RawResearchReport } from '../sessions/research-report.types.js';
import { ENDED, ResearchSession } from '../sessions/research-session.entity.js';
import { ResearchSource } from '../sessions/research-source.entity.js';
import { errorEvent, statusEvent } from '../sessions/session-events.js';
import { enqueueSession, SESSION_LIMITS } from '../sessions/session-job.js';
import type { SessionPayload } from '../sessions/session-job.js';
import type { SnapshotStore } from '../reading/snapshot-store.js';
import { SearchFailed } from './research-run.js';
import type { ResearchRun } from './research-run.js';
import { RunLimits } from './run-limits.js';
import { RunEnded, StepLog } from './step-log.js';

/** How soon a run ends that was cancelled. */
const LOOK_MS = 400;
const FORBIDDEN = 'Whoever began this session may not use the researcher any more, or its token was deleted.';
const INTERNAL = 'The server failed at this session. Please resume it, and tell your administrator if it fails again.';

/** What is needed to do one run. */
export interface RunRequest {
  readonly session: ResearchSession;
  readonly steps: StepLog;
  readonly limits: RunLimits;
}

interface ResearchJobsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly snapshots: Pick<SnapshotStore, 'isElsewhere'>;
  /** Whether the user of a session may still sign in, and the token that began it still works for it. */
  readonly mayGoOn: (session: ResearchSession) => Promise<boolean>;
  readonly open: (request: RunRequest) => Promise<Pick<ResearchRun, 'run'>>;
  /** Told when a session has new events. */
  readonly changed: (sessionId: string) => void;
}

/** Does research sessions, one job each. What a run has done is not done again by the next one. */
export class ResearchJobs {
  constructor(private readonly parts: ResearchJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...SESSION_LIMITS, run: (job) => this.run(job) };
  }

  private async run(job: Job): Promise<void> {
    const { sessionId: id, run } = job.payload as unknown as SessionPayload;
    const { dataSource } = this.parts;
    const open = { id, run, deletedTime: IsNull(), status: Not(In([...ENDED])) };
    const session = await dataSource.manager.findOneBy(ResearchSession, open);
    if (!session) return;
    if (await this.isElsewhere(session)) {
      const when = { delaySeconds: ELSEWHERE_SECONDS };
      return dataSource.transaction((tx) => enqueueSession(tx, this.parts.jobs, session, when));
    }
    const steps = new StepLog(dataSource, session, job, this.parts.changed);
    const watch = new RunWatch(this.parts, session);
    try {
      const startedAt = session.startedAt ?? (await this.begin(steps, session));
      const end = startedAt.getTime() + session.maxSeconds * 1_000;
      const limits = new RunLimits(AbortSignal.any([job.signal, watch.ended]), end, session.maxSeconds);
      const research = await this.parts.open({ session, steps, limits });
      await this.complete(steps, session, await research.run());
    } catch (error) {
      const reason: unknown = watch.ended.aborted ? watch.ended.reason : error;
      if (reason instanceof RunEnded) return;
      job.signal.throwIfAborted();
      await this.fail(steps, session, reason, job);
    } finally {
      watch.close();
      this.parts.changed(id);
    }
  }

  private async begin(steps: StepLog, { id }: ResearchSession): Promise<Date> {
    const startedAt = new Date();
    await steps.transaction((tx) => tx.update(ResearchSession, { id }, { startedAt }));
    return startedAt;
  }

  private async complete(steps: StepLog, session: ResearchSession, report: RawResearchReport): Promise<void> {
    const { id, tenantId } = session;
    await steps.transaction(async (tx) => {
      const completed = { status: 'completed', progress: 1, report, completedAt: new Date() } as const;
      await tx.update(ResearchSession, { id }, completed as never);
      await appendEvents(tx, id, [
        statusEvent({ status: 'completed', progress: 1 }),
        { type: 'done', data: { status: 'completed', sentences: report.sentences.length } },
      ]);
      const target = { type: 'research_session', id };
      await this.parts.audit.record(tx, SYSTEM, { tenantId, action: 'research_session.complete', target });
    });
  }

  /** @throws the error again where another attempt may mend it */
  private async fail(steps: StepLog, { id, tenantId }: ResearchSession, error: unknown, job: Job): Promise<void> {
    const reason = reasonOf(error);
    if (reason === undefined && job.attempt < LAST_ATTEMPT) throw error;
    const message = reason === undefined ? INTERNAL : (error as Error).message;
    try {
      await steps.transaction(async (tx) => {
        const failed = {
          status: 'failed',
          reason: reason ?? 'internal',
          error: message,
          completedAt: new Date(),
        } as const;
        await tx.update(ResearchSession, { id }, failed);
        const { progress } = await tx.findOneByOrFail(ResearchSession, { id });
        await appendEvents(tx, id, [statusEvent({ status: 'failed', progress }), errorEvent(failed.reason, message)]);
        const event = { tenantId, action: 'research_session.fail', target: { type: 'research_session', id } } as const;
        await this.parts.audit.record(tx, SYSTEM, { ...event, outcome: 'failure', reason: failed.reason });
      });
    } catch (ended) {
      if (!(ended instanceof RunEnded)) throw ended;
    }
  }

  private async isElsewhere({ id, replayOf }: ResearchSession): Promise<boolean> {
    const { dataSource, snapshots } = this.parts;
    const sessionIds = [id, ...(replayOf === null ? [] : [replayOf])];
    const [read] = await dataSource.manager.find(ResearchSource, {
      where: { sessionId: In(sessionIds), blobKey: Not(IsNull()) },
      take: 1,
    });
    return read?.blobKey ? snapshots.isElsewhere(read.blobKey) : false;
  }
}

/** Looks whether a run was cancelled, deleted or begun anew, or may not go on, on whatever replica that was decided. */
class RunWatch {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly parts: Pick<ResearchJobsParts, 'dataSource' | 'mayGoOn'>,
    private readonly session: ResearchSession,
  ) {
    this.wait();
  }

  /** Aborted with RunEnded, or Forbidden where it may not go on. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private wait(): void {
    if (!this.isClosed) this.timer = setTimeout(() => void this.look(), LOOK_MS).unref();
  }

  private async look(): Promise<void> {
    try {
      const { dataSource, mayGoOn } = this.parts;
      const { id, run } = this.session;
      const open = { id, run, deletedTime: IsNull(), status: Not(In([...ENDED])) };
      if (!(await dataSource.manager.existsBy(ResearchSession, open))) this.ending.abort(new RunEnded());
      else if (!(await mayGoOn(this.session))) this.ending.abort(new Forbidden(FORBIDDEN));
    } catch {
      // The next look tells.
    }
    this.wait();
  }
}

/** Why a session fails for good, as a word; undefined: another attempt may mend it. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof QuotaExceeded) return 'quota_exceeded';
  if (error instanceof StorageExceeded) return 'storage_exceeded';
  if (error instanceof SearchFailed) return 'search_failed';
  if (error instanceof ModelFailed) return 'model_failed';
  if (error instanceof Unavailable) return undefined;
  return error instanceof PlatformError && error.status < 500 ? error.code : undefined;
}
