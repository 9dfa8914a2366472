import type { JobRecords } from './job-records.js';

const MAX_COUNT = 10_000;

/** Jobs of a kind that are not done, of all processes. */
export interface JobBacklog {
  /** How many wait for their turn, or for what they need, counted to at most 10,000. */
  readonly waiting: number;
  /** Counted to at most 10,000. */
  readonly running: number;
  /** How long the oldest that waits has been there; null where none does. */
  readonly oldestSeconds: number | null;
}

/** Counts the jobs of a kind that are not done. @throws what the database throws */
export async function readJobBacklog(records: Pick<JobRecords, 'count' | 'list'>, kind: string): Promise<JobBacklog> {
  const [waiting, retrying, running, [oldest]] = await Promise.all([
    records.count({ kind, status: 'waiting' }, MAX_COUNT),
    records.count({ kind, status: 'retrying' }, MAX_COUNT),
    records.count({ kind, status: 'running' }, MAX_COUNT),
    records.list({ kind, status: 'waiting' }, 1, undefined, 'asc'),
  ]);
  const oldestSeconds = oldest ? Math.max(0, Math.round((Date.now() - oldest.createdAt.getTime()) / 1_000)) : null;
  return { waiting: waiting + retrying, running, oldestSeconds };
}
