import type { DataSource } from 'typeorm';
import { Forbidden } from '../../errors.js';
import type { JobOwner } from '../../platform/jobs/job.types.js';
import type { TranscriptKey } from '../results/transcript-store.js';
import { OPEN_RUN, RunEnded } from './run-log.js';

/** How soon a run ends whose recording was deleted, or whose user may not go on. */
const LOOK_MS = 500;
const GOES_ON = `SELECT FROM recordings WHERE ${OPEN_RUN}`;
const FORBIDDEN = 'Whoever owns this recording may not use the platform any more.';

interface RunWatchParts {
  readonly dataSource: DataSource;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
}

/** Looks whether a run was ended or begun anew, or may not go on, on whatever replica that was decided. */
export class RunWatch {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly parts: RunWatchParts,
    private readonly key: TranscriptKey,
    private readonly owner: JobOwner,
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
    if (!this.isClosed && !this.ended.aborted) this.timer = setTimeout(() => void this.look(), LOOK_MS).unref();
  }

  private async look(): Promise<void> {
    try {
      const { dataSource, permits } = this.parts;
      const { recordingId, run } = this.key;
      const open = await dataSource.query<object[]>(GOES_ON, [recordingId, run]);
      if (open.length === 0) this.ending.abort(new RunEnded());
      else if (!(await permits(this.owner))) this.ending.abort(new Forbidden(FORBIDDEN));
    } catch {
      // The next look tells.
    }
    this.wait();
  }
}
