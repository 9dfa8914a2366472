import { readJobBacklog } from '../../platform/jobs/job-backlog.js';
import type { JobBacklog } from '../../platform/jobs/job-backlog.js';
import type { JobRecords } from '../../platform/jobs/job-records.js';
import type { CheckState } from '../../platform/telemetry/health.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import { TRANSCRIPTION_JOB } from '../pipeline/transcription-job.js';

/** A queue in which a transcription waits longer is too long. */
const LONG_WAIT_SECONDS = 600;

/** Transcriptions of recordings that are not over, in all processes. */
export class TranscriptionBacklog {
  private last: JobBacklog = { waiting: 0, running: 0, oldestSeconds: null };

  constructor(private readonly records: Pick<JobRecords, 'count' | 'list'>) {}

  readonly gauges: readonly Gauge[] = [
    {
      name: 'platform_transcriptions',
      help: 'Transcriptions of recordings that are not over, of all processes.',
      labels: ['state'],
      read: () => [
        { labels: { state: 'waiting' }, value: this.last.waiting },
        { labels: { state: 'running' }, value: this.last.running },
      ],
    },
    {
      name: 'platform_transcription_oldest_seconds',
      help: 'How long the oldest transcription waits; 0 where none does.',
      labels: [],
      read: () => [{ value: this.last.oldestSeconds ?? 0 }],
    },
  ];

  /** Counts anew. @throws what the database throws */
  async read(): Promise<JobBacklog> {
    return (this.last = await readJobBacklog(this.records, TRANSCRIPTION_JOB));
  }

  /** `degraded` where one waits for too long. */
  readonly check = async (): Promise<CheckState> => stateOfBacklog(await this.read());
}

/** `degraded` where one waits for over ten minutes. */
export function stateOfBacklog({ oldestSeconds }: JobBacklog): CheckState {
  return (oldestSeconds ?? 0) > LONG_WAIT_SECONDS ? 'degraded' : 'ok';
}
