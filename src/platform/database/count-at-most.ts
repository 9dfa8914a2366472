import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';

/**
 * How many rows a list has, counted no further than to a limit: nobody waits for the whole of a long one.
 * @param rows selects them, such as `SELECT FROM users WHERE …`
 */
export async function countAtMost(dataSource: DataSource, rows: Sql, limit: number): Promise<number> {
  const { text, values } = sql`SELECT count(*)::integer AS count FROM (${rows} LIMIT ${limit}) AS counted`;
  const [row] = await dataSource.query<{ count: number }[]>(text, values);
  return row?.count ?? 0;
}
