import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobDatabase } from '../../../src/platform/jobs/job-database.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';

describe('the connections of the job queue', () => {
  let opened: OpenTestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());

  onPostgres.it('are two at most, however many workers ask, so that calls do not wait behind them', async () => {
    const { dataSource } = opened.database;
    const queue = jobDatabase(dataSource);
    // A statement tells how many were running while it slept.
    const sql = `SELECT count(*)::int AS running FROM pg_sleep(0.1), pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%number of the queue%' AND state = 'active'`;

    const workers = Array.from({ length: 12 }, () => queue.executeSql(`${sql} -- number of the queue`));
    const answers = await Promise.all(workers);

    const running = answers.map(({ rows }) => (rows[0] as { running: number }).running);
    expect(Math.max(...running)).toBe(2);
  });

  it('are given back where a statement fails', async () => {
    const queue = jobDatabase(opened.database.dataSource);

    const failures = await Promise.allSettled(
      Array.from({ length: 30 }, () => queue.executeSql('BEGIN; SELECT 1 / 0; COMMIT')),
    );
    const { rows } = await queue.executeSql('SELECT 1 AS one');

    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
    expect(rows).toEqual([{ one: 1 }]);
  });
});
