import type { CheckState } from '../telemetry/health.js';
import type { Gauge } from '../telemetry/metrics.js';
import { readJobBacklog } from './job-backlog.js';
import type { JobBacklog } from './job-backlog.js';
import type { JobRecords } from './job-records.js';

/** A queue in which a job waits longer is too long. */
const LONG_WAIT_SECONDS = 600;

/** What is watched, and what it is called. */
interface WatchedJobs {
  /** As the job queue knows it. */
  readonly kind: string;
  /** Of one of them, as in `platform_transcription`: the gauges begin with it. */
  readonly metric: string;
  /** For the help of the gauges, as in `transcriptions of recordings`. */
  readonly what: string;
}

/** Jobs of a kind that are not over, in all processes: their gauges and their check of health. */
export class WatchedBacklog {
  private last: JobBacklog = { waiting: 0, running: 0, oldestSeconds: null };

  constructor(
    private readonly records: Pick<JobRecords, 'count' | 'list'>,
    private readonly jobs: WatchedJobs,
  ) {}

  /** How many wait and run, as last counted. */
  get countGauge(): Gauge {
    return {
      name: `${this.jobs.metric}s`,
      help: `How many ${this.jobs.what} are not over, of all processes.`,
      labels: ['state'],
      read: () => [
        { labels: { state: 'waiting' }, value: this.last.waiting },
        { labels: { state: 'running' }, value: this.last.running },
      ],
    };
  }

  /** How long the oldest waits, as last counted. */
  get oldestGauge(): Gauge {
    return {
      name: `${this.jobs.metric}_oldest_seconds`,
      help: `How long the oldest of the ${this.jobs.what} waits; 0 where none does.`,
      labels: [],
      read: () => [{ value: this.last.oldestSeconds ?? 0 }],
    };
  }

  /** Counts anew. @throws what the database throws */
  async read(): Promise<JobBacklog> {
    return (this.last = await readJobBacklog(this.records, this.jobs.kind));
  }

  /** `degraded` where one waits for too long. */
  readonly check = async (): Promise<CheckState> => stateOfBacklog(await this.read());
}

/** `degraded` where one waits for over ten minutes. */
export function stateOfBacklog({ oldestSeconds }: JobBacklog): CheckState {
  return (oldestSeconds ?? 0) > LONG_WAIT_SECONDS ? 'degraded' : 'ok';
}
