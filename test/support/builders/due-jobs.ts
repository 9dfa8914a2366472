import { eventually } from '../probes/eventually.js';
import type { Platform } from '../servers/platform.js';

/** Waits until a job of a kind is to be done later, and ends the pauses of all such jobs. */
export async function makeJobsDue(platform: Platform, kind: string): Promise<void> {
  const sql = `UPDATE jobs.job SET start_after = now()
    WHERE name = $1 AND state IN ('created', 'retry') AND start_after > now() RETURNING id`;
  await eventually(`a job is to be done later: ${kind}`, 10, async () => {
    const [due = []] = await platform.query<readonly unknown[]>(sql, [kind]);
    return due.length > 0;
  });
}
