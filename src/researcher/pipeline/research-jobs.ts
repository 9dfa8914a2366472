import { In, IsNull, Not } from 'typeorm';
import type { DataSource, FindOptionsWhere } from 'typeorm';
import { Forbidden, PlatformError, QuotaExceeded, StorageExceeded, Unavailable } from '../../errors.js';
import { LAST_ATTEMPT } from '../../platform/jobs/job-delays.js';
import { JobWatch } from '../../platform/jobs/job-watch.js';
import type { Job, LimitedJobHandler } from '../../platform/jobs/job.types.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { ModelFailed } from '../analysts/model-caller.js';
import { appendEvents } from '../sessions/append-events.js';
import type { RawResearchReport } from '../sessions/research-report.types.js';
import { ENDED, ResearchSession } from '../sessions/research-session.entity.js';
import { errorEvent, statusEvent } from '../sessions/session-events.js';
import { findSnapshot, SESSION_LIMITS } from '../sessions/session-job.js';
import type { SessionPayload } from '../sessions/session-job.js';
import { OriginalDeleted } from './replay.js';
import { SearchFailed } from './search-failed.js';
import type { ResearchRun } from './research-run.js';
import { RunLimits } from './run-limits.js';
import type { SessionRights } from './session-rights.js';
import { RunEnded, StepLog } from './step-log.js';

const INTERNAL = 'The server failed at this session. Please resume it, and tell your administrator if it fails again.';

/** What is needed to do one run. */
export interface RunRequest {
  readonly session: ResearchSession;
  readonly steps: StepLog;
  readonly limits: RunLimits;
}

interface ResearchJobsParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly rights: Pick<SessionRights, 'require'>;
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
    const session = await dataSource.manager.findOneBy(ResearchSession, openRun({ id, run }));
    if (!session) return;
    const blobKey = await findSnapshot(dataSource.manager, session);
    if (blobKey !== undefined) await job.requireFile(blobKey);
    const steps = new StepLog(dataSource, session, job, this.parts.changed);
    const watch = new JobWatch(() => this.findEnd(session));
    try {
      await watch.requireOpen();
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

  /** Why a session is not gone on with: it was cancelled, deleted or begun anew, or a right that it needs is lost. */
  private async findEnd(session: ResearchSession): Promise<Error | undefined> {
    const { dataSource, rights } = this.parts;
    if (!(await dataSource.manager.existsBy(ResearchSession, openRun(session)))) return new RunEnded();
    try {
      await rights.require(session);
      return undefined;
    } catch (error) {
      if (error instanceof Forbidden) return error;
      throw error;
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
      const completed = { status: 'completed', error: null, progress: 1, report, completedAt: new Date() } as const;
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
}

function openRun({ id, run }: Pick<ResearchSession, 'id' | 'run'>): FindOptionsWhere<ResearchSession> {
  return { id, run, deletedTime: IsNull(), status: Not(In([...ENDED])) };
}

/** Why a session fails for good, as a word; undefined: another attempt may mend it. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof QuotaExceeded) return 'quota_exceeded';
  if (error instanceof StorageExceeded) return 'storage_exceeded';
  if (error instanceof SearchFailed) return 'search_failed';
  if (error instanceof ModelFailed) return 'model_failed';
  if (error instanceof OriginalDeleted) return 'original_deleted';
  if (error instanceof Unavailable) return undefined;
  return error instanceof PlatformError && error.status < 500 ? error.code : undefined;
}
