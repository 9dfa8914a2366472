import { isUndefinedTable } from '../../../src/platform/database/postgres-errors.js';
import type { Platform } from '../servers/platform.js';

const TABLES = `
  SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'knowledge\\_vectors%'
  ORDER BY tablename`;

/** The tables that hold vectors. */
export async function vectorTables(platform: Pick<Platform, 'query'>): Promise<string[]> {
  return (await platform.query<{ name: string }>(TABLES)).map(({ name }) => name);
}

/** How many vectors there are of a file, over all indexes. */
export async function countVectorsOfFile(platform: Pick<Platform, 'query'>, fileId: unknown): Promise<number> {
  let count = 0;
  for (const table of await vectorTables(platform)) {
    const sql = `SELECT count(*)::integer AS count FROM ${table} WHERE file_id = $1`;
    count += (await platform.query<{ count: number }>(sql, [fileId]).catch(ifDropped))[0]?.count ?? 0;
  }
  return count;
}

/** A table that was there a moment ago. */
function ifDropped(error: unknown): [] {
  if (isUndefinedTable(error)) return [];
  throw error;
}
