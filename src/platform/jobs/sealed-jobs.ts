import type { SealedColumn } from '../crypto/sealed-column.js';
import { JOB_SCHEMA } from './job-database.js';

/**
 * Where the payloads of jobs lie that were sealed, each as the member `sealed` in base64.
 * @param kind of the jobs; it becomes SQL, so it is written in the code
 * @param purpose what they are sealed for
 */
export function sealedJobs(kind: string, purpose: string): SealedColumn {
  return {
    table: `${JOB_SCHEMA}.job`,
    key: 'id',
    column: 'data',
    purpose,
    context: 'none',
    path: ['payload', 'sealed'],
    where: `name = '${kind}'`,
  };
}
