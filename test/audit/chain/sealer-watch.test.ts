import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealerWatch } from '../../../src/audit/chain/sealer-watch.js';
import { openTestDatabase } from '../../support/database.js';
import type { OpenTestDatabase } from '../../support/database.js';

describe('the watch of the sealer', () => {
  let opened: OpenTestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
    await opened.database.dataSource.query(
      `INSERT INTO audit_records (id, action, actor_type, outcome, salts, created_at, mac)
       VALUES ('aud_1', 'thing.change', 'system', 'success', $1, now() + interval '1 hour', '')`,
      [Buffer.alloc(80)],
    );
  });
  afterAll(() => opened.close());

  it('goes by its own clock, whatever the dates of what waits', async () => {
    let now = 0;
    const watch = new SealerWatch(opened.database.dataSource, () => now);

    await watch.refresh();
    const first = await watch.check();
    now = 11_000;
    await watch.refresh();

    expect([first, await watch.check()]).toEqual(['ok', 'down']);
  });

  it('is content while something is sealed', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);

    await watch.refresh();
    await dataSource.query("INSERT INTO audit_digests (name, sum, mac) VALUES ('chains', '', '')");
    now = 11_000;
    await watch.refresh();

    expect(await watch.check()).toBe('ok');
  });
});
