import type { DataSource } from 'typeorm';

/** Of those that were given back, or ended, nothing is changed. */
const TOUCH = `
  UPDATE recordings SET live_at = now()
  WHERE id = ANY($1) AND status = 'created' AND live_at IS NOT NULL AND total_bytes IS NULL AND deleted_at IS NULL`;

/** The recordings whose live sessions are open in this process: nobody has abandoned them, also where nothing is said. */
export class OpenSessions {
  /** How many sessions each has. */
  private readonly sessions = new Map<string, number>();

  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  /** @param signal aborted when the session is over */
  add(recordingId: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.sessions.set(recordingId, (this.sessions.get(recordingId) ?? 0) + 1);
    signal.addEventListener('abort', () => this.remove(recordingId), { once: true });
  }

  /** To be called more often than recordings are given up. */
  async touch(): Promise<void> {
    if (this.sessions.size > 0) await this.dataSource.query(TOUCH, [[...this.sessions.keys()]]);
  }

  private remove(recordingId: string): void {
    const left = (this.sessions.get(recordingId) ?? 1) - 1;
    if (left > 0) this.sessions.set(recordingId, left);
    else this.sessions.delete(recordingId);
  }
}
