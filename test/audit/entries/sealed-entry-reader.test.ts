import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AuditEntryRow } from '../../../src/audit/entries/audit-entry.entity.js';
import { SealedEntryReader } from '../../../src/audit/entries/sealed-entry-reader.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

describe('whoever reads entries as they are sealed', () => {
  let opened: OpenTestDatabase;
  beforeAll(fill);
  afterAll(() => opened.close());

  it('asks the database once for hundreds of them', async () => {
    const rows = opened.database.dataSource.getRepository(AuditEntryRow);
    const asked = jest.spyOn(rows, 'findBy');
    const reader = new SealedEntryReader(rows);
    const read: (string | undefined)[] = [];

    for (let sequence = 1; sequence <= 1_000; sequence += 1) {
      read.push((await reader.read({ chain: 'ten_1', sequence, last: 1_000 }))?.id);
    }

    expect(read).toEqual(Array.from({ length: 1_000 }, (_, index) => `aud_ten_1_${index + 1}`));
    expect(asked.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it('gets those of the chain that it asks for, and nothing for one that is not there', async () => {
    const reader = new SealedEntryReader(opened.database.dataSource.getRepository(AuditEntryRow));

    const one = await reader.read({ chain: 'ten_1', sequence: 1, last: 3 });
    const other = await reader.read({ chain: 'ten_2', sequence: 2, last: 3 });
    const none = await reader.read({ chain: 'ten_2', sequence: 2_000, last: 2_001 });

    expect([one?.id, other?.id, none]).toEqual(['aud_ten_1_1', 'aud_ten_2_2', undefined]);
  });

  async function fill(): Promise<void> {
    opened = await openTestDatabase();
    await opened.database.dataSource.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       SELECT c, s, 'aud_' || c || '_' || s, 'thing.change', 'system', 'success', $1, '', '', now()
       FROM unnest('{ten_1,ten_2}'::text[]) c, generate_series(1, 1000) s`,
      [Buffer.alloc(80)],
    );
  }
});
