import type { Db } from 'pg-boss';
import { JOB_SCHEMA } from './job-database.js';

const DUE = `
  SELECT kind FROM unnest($1::text[]) AS kind WHERE EXISTS (
    SELECT FROM ${JOB_SCHEMA}.job WHERE name = kind AND state < 'active' AND NOT blocked AND start_after <= now())`;

/** Of some kinds those of which jobs wait that may begin now. */
export async function dueKinds(db: Db, kinds: readonly string[]): Promise<string[]> {
  const { rows } = await db.executeSql(DUE, [kinds]);
  return (rows as { kind: string }[]).map(({ kind }) => kind);
}
