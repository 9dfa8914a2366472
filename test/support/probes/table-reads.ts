import { jest } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import type { Platform } from '../servers/platform.js';
import { eventually } from './eventually.js';

/** A look at a table is two queries at most, and one look is over before the next begins. */
const QUERIES = 3;

/** Resolves when a process has looked at a table: it knows all that was committed before the call. */
export async function untilTableIsRead({ app }: Platform, table: string): Promise<void> {
  const { dataSource } = app.database;
  const runner = dataSource.createQueryRunner();
  const query = jest.spyOn(Object.getPrototypeOf(runner) as QueryRunner, 'query');
  await runner.release();
  const isRead = new RegExp(`FROM "?${table}\\b`);
  await eventually(`${table} is read`, 20, () => {
    // Other processes of the test are in this one, too.
    const own = query.mock.calls.filter((_, at) => (query.mock.contexts[at] as QueryRunner).connection === dataSource);
    return own.filter(([sql]) => isRead.test(sql)).length >= QUERIES;
  });
  query.mockRestore();
}
