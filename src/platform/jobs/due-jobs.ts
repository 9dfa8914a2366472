import type { Db } from 'pg-boss';
import { JOB_SCHEMA } from './job-database.js';
import { isForStore } from './job-stores.js';

const DUE = `
  SELECT kind FROM unnest($1::text[]) AS kind WHERE EXISTS (
    SELECT FROM ${JOB_SCHEMA}.job
    WHERE name = kind AND state < 'active' AND NOT blocked AND start_after <= now() AND ${isForStore('data', '$2')})`;

/**
 * Of some kinds those of which jobs wait that this process may begin now.
 * @param store of files that it has
 */
export async function dueKinds(db: Db, kinds: readonly string[], store: string | undefined): Promise<string[]> {
  const { rows } = await db.executeSql(DUE, [kinds, store ?? '']);
  return (rows as { kind: string }[]).map(({ kind }) => kind);
}
