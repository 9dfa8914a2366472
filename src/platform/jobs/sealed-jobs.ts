import type { SealedColumn } from '../crypto/sealed-column.js';
import { JOB_SCHEMA } from './job-database.js';

/**
 * Where the payloads of jobs lie that were sealed, each as the member `sealed` in base64.
 * @param kinds of the jobs, one or several; they become SQL, so they are written in the code
 * @param purpose what they are sealed for
 */
export function sealedJobs(kinds: string | readonly string[], purpose: string): SealedColumn {
  return {
    table: `${JOB_SCHEMA}.job`,
    key: 'id',
    column: 'data',
    purpose,
    context: 'none',
    path: ['payload', 'sealed'],
    where: `name IN (${[kinds]
      .flat()
      .map((kind) => `'${kind}'`)
      .join(', ')})`,
  };
}
