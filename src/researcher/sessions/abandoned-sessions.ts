import { In, IsNull, Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasUnfinishedJob } from '../../platform/jobs/unfinished-job.js';
import { noteUnserved } from '../../platform/jobs/unserved-jobs.js';
import { appendEvents } from './append-events.js';
import { ENDED, ResearchSession } from './research-session.entity.js';
import { errorEvent, statusEvent } from './session-events.js';
import { SESSION_JOB } from './session-job.js';

const REASON = 'abandoned';
const MESSAGE =
  'The server has given this session up. Please resume it, and tell your administrator if that happens again.';
const ABANDONED = `
  SELECT id, run FROM research_sessions
  WHERE status NOT IN ('completed', 'failed', 'cancelled') AND deleted_at IS NULL
    AND NOT ${hasUnfinishedJob(SESSION_JOB, 'sessionId', 'research_sessions.id')}
  ORDER BY id LIMIT 1000`;
const WAITING = {
  table: 'research_sessions',
  where: "status NOT IN ('completed', 'failed', 'cancelled') AND deleted_at IS NULL",
  kind: SESSION_JOB,
  member: 'sessionId',
} as const;

interface AbandonedSessionsParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Tells whoever reads a session. */
  readonly changed: (sessionId: string) => void;
}

/** Ends sessions that nobody works on any more: jobs are given up where processes have died of them, and with their users. */
export class AbandonedSessions {
  constructor(private readonly parts: AbandonedSessionsParts) {}

  /** Marks them as failed, a thousand at a time; they can be resumed. Says of others that they wait for their server. */
  async end(): Promise<void> {
    const { dataSource, audit, changed } = this.parts;
    for (const { id, run } of await dataSource.query<Pick<ResearchSession, 'id' | 'run'>[]>(ABANDONED)) {
      const isEnded = await dataSource.transaction(async (tx) => {
        const going = { id, run, deletedTime: IsNull(), status: Not(In([...ENDED])) };
        const ended = { status: 'failed' as const, reason: REASON, error: MESSAGE, completedAt: new Date() };
        if ((await tx.update(ResearchSession, going, ended)).affected === 0) return false;
        const { status, progress, tenantId } = await tx.findOneByOrFail(ResearchSession, { id });
        await appendEvents(tx, id, [statusEvent({ status, progress }), errorEvent(REASON, MESSAGE)]);
        const event = { tenantId, action: 'research_session.fail', target: { type: 'research_session', id } } as const;
        await audit.record(tx, SYSTEM, { ...event, outcome: 'failure', reason: REASON });
        return true;
      });
      if (isEnded) changed(id);
    }
    for (const { id } of await noteUnserved<{ id: string }>(dataSource, WAITING)) changed(id);
  }
}
