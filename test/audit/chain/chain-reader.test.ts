import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { readEntries } from '../../../src/audit/chain/chain-reader.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

describe('readEntries', () => {
  let platform: Platform = undefined as never;
  beforeAll(async () => void (platform = await startPlatform()));
  afterAll(() => platform.close());

  it('takes each page from the index, so that a long chain costs no more for each entry than a short one', async () => {
    const asked: [string, unknown[]][] = [];
    const query = (sql: string, values: unknown[]) => {
      asked.push([sql, values]);
      return Promise.resolve([]);
    };
    await readEntries({ query } as unknown as DataSource, 'platform', { after: 3, until: 9 }).next();
    const [[sql, values]] = asked as [[string, unknown[]]];

    const plan = await platform.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);

    const lines = plan.map((row) => row['QUERY PLAN']);
    expect(lines.join('\n')).toContain('audit_entries_pkey');
    expect(lines.filter((line) => line.includes('Sort'))).toEqual([]);
  });
});
