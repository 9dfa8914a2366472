import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { readBehindEnd } from '../../../src/audit/chain/behind-end.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

describe('readBehindEnd', () => {
  let opened: OpenTestDatabase;
  beforeAll(async () => void (opened = await openTestDatabase()));
  afterAll(() => opened.close());

  it('reads nothing of the chain itself, however long that is', async () => {
    const asked: [string, unknown[]][] = [];
    const query = async (...statement: [string, unknown[]]) => (asked.push(statement), []);
    await readBehindEnd({ query } as unknown as DataSource, { chain: 'platform', sequence: 9 });
    const [[sql, values]] = asked as [[string, unknown[]]];

    const plan = await opened.database.dataSource.transaction(async (tx) => {
      // The tables are empty here: reading all of them would be the cheapest.
      await tx.query('SET LOCAL enable_seqscan = off');
      return tx.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`, values);
    });

    const lines = plan.map((row) => row['QUERY PLAN']);
    const numbers = lines.filter((line) => /sequence [<>]/.test(line));
    expect(numbers).toHaveLength(4);
    expect(numbers.filter((line) => !line.includes('Index Cond'))).toEqual([]);
  });
});
