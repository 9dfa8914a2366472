import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealerWatch } from '../../../src/audit/chain/sealer-watch.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

describe('the watch of the sealer', () => {
  let opened: OpenTestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
    await write('aud_1');
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

  it('is content while the oldest that waits is another each time', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);

    await watch.refresh();
    await write('aud_2');
    await seal('aud_1');
    now = 11_000;
    await watch.refresh();

    expect(await watch.check()).toBe('ok');
  });

  it('does not care about what all chains add up to: nobody writes that anew once it is forged', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);

    await watch.refresh();
    await dataSource.query("INSERT INTO audit_digests (name, sum, mac) VALUES ('chains', '', '')");
    now = 11_000;
    await watch.refresh();

    expect(await watch.check()).toBe('down');
  });

  it('is not misled by what comes to an earlier place', async () => {
    let now = 0;
    const watch = new SealerWatch(opened.database.dataSource, () => now);

    await watch.refresh();
    await write('aud_0', -1);
    now = 11_000;
    await watch.refresh();

    expect(await watch.check()).toBe('down');
  });

  it('is not misled by other numbers for what waits', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);

    for (; now <= 12_000; now += 4_000) {
      await dataSource.query('UPDATE audit_records SET ordinal = ordinal + 100000');
      await watch.refresh();
    }

    expect(await watch.check()).toBe('down');
  });

  it('is not misled where others take the place of what waits, and none is sealed', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);

    for (; now <= 12_000; now += 4_000) {
      await dataSource.query("UPDATE audit_records SET id = id || 'x', ordinal = ordinal + 100000");
      await watch.refresh();
    }

    expect(await watch.check()).toBe('down');
  });

  it('is content with a forged sum of all chains where nothing waits', async () => {
    let now = 0;
    const { dataSource } = opened.database;
    const watch = new SealerWatch(dataSource, () => now);
    await watch.refresh();

    await dataSource.query("UPDATE audit_digests SET sum = 'forged'");
    await dataSource.query('DELETE FROM audit_records');
    now = 11_000;

    expect(await watch.check()).toBe('ok');
  });

  /** As the sealer does. */
  async function seal(id: string): Promise<void> {
    const { dataSource } = opened.database;
    await dataSource.query('DELETE FROM audit_records WHERE id = $1', [id]);
    await dataSource.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       VALUES ('platform', 1, $1, 'thing.change', 'system', 'success', $2, '', '', now())`,
      [id, Buffer.alloc(80)],
    );
  }

  async function write(id: string, ordinal?: number): Promise<void> {
    await opened.database.dataSource.query(
      `INSERT INTO audit_records (ordinal, id, action, actor_type, outcome, salts, created_at, mac)
       VALUES (${ordinal ?? 'DEFAULT'}, $1, 'thing.change', 'system', 'success', $2, now() + interval '1 hour', '')`,
      [id, Buffer.alloc(80)],
    );
  }
});
