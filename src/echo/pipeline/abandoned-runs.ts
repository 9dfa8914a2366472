import type { DataSource } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasUnfinishedJob } from '../../platform/jobs/unfinished-job.js';
import { noteUnserved } from '../../platform/jobs/unserved-jobs.js';
import type { Recording } from '../recordings/recording.entity.js';
import { tellEnded } from './run-events.js';
import { UNEXPLAINED_FAILURE } from './transcription-failure.js';
import { TRANSCRIPTION_JOB } from './transcription-job.js';

/** Of runs that wait for something the error says what for. */
const ABANDONED = `
  SELECT id, tenant_id AS "tenantId", run, live_at AS "liveAt" FROM recordings
  WHERE (status = 'transcribing' OR (status = 'uploaded' AND error IS NULL)) AND deleted_at IS NULL
    AND NOT ${hasUnfinishedJob(TRANSCRIPTION_JOB, 'recordingId', 'recordings.id')}
  ORDER BY id LIMIT 1000`;
const END = `
  UPDATE recordings SET status = CASE WHEN transcript_run IS NULL THEN 'failed' ELSE 'completed' END, error = $3,
    updated_at = now()
  WHERE id = $1 AND run = $2 AND status IN ('uploaded', 'transcribing') RETURNING id`;
const UPDATED = 'UPDATE recordings SET updated_at = now() WHERE id = ANY($1)';
const WAITING = {
  table: 'recordings',
  where: "status IN ('uploaded', 'transcribing') AND deleted_at IS NULL",
  kind: TRANSCRIPTION_JOB,
  member: 'recordingId',
} as const;

interface AbandonedRunsParts {
  readonly dataSource: DataSource;
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Told when a recording has changed. */
  readonly changed: (recordingId: string) => void;
}

type AbandonedRun = Pick<Recording, 'id' | 'tenantId' | 'run' | 'liveAt'>;

/**
 * Ends runs that nobody does any more: jobs are given up where processes have died of them. Says of others that they wait for
 * their server.
 */
export class AbandonedRuns {
  constructor(private readonly parts: AbandonedRunsParts) {}

  async end(): Promise<void> {
    const { dataSource, audit, changed } = this.parts;
    for (const abandoned of await dataSource.query<AbandonedRun[]>(ABANDONED)) {
      const { id, tenantId, run } = abandoned;
      await dataSource.transaction(async (tx) => {
        const [ended] = await tx.query<[object[], number]>(END, [id, run, UNEXPLAINED_FAILURE.message]);
        if (ended.length === 0) return;
        await tellEnded(tx, abandoned, UNEXPLAINED_FAILURE);
        const target = { type: 'recording', id };
        const { reason } = UNEXPLAINED_FAILURE;
        await audit.record(tx, SYSTEM, { tenantId, action: 'recording.fail', target, outcome: 'failure', reason });
      });
      changed(id);
    }
    const noted = (await noteUnserved<{ id: string }>(dataSource, WAITING)).map(({ id }) => id);
    if (noted.length > 0) await dataSource.query(UPDATED, [noted]);
    for (const id of noted) changed(id);
  }
}
