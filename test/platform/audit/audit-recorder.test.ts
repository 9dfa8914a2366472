import { beforeAll, describe, expect, it } from '@jest/globals';
import { ENTRY_COLUMNS, isOwnEntry } from '../../../src/audit/chain/chain-reader.js';
import type { ReadEntry } from '../../../src/audit/chain/chain-reader.js';
import type { AuditActor } from '../../../src/platform/audit/audit-event.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import type { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { auditRows, endRefusalWindows } from '../../support/probes/audit-rows.js';
import { eventually } from '../../support/probes/eventually.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('refusals', () => {
  const platform = usePlatform();
  let [recorder, secretBox]: [AuditRecorder, SecretBox] = [] as never;

  beforeAll(async () => {
    const { dataSource } = platform.app.database;
    secretBox = await openSecretBox(platform.config, dataSource, []);
    recorder = new AuditRecorder(dataSource, secretBox);
  });

  it('of the unknown are counted by their network, whatever name they give', async () => {
    for (let index = 0; index < 20; index += 1) await refuse('names.try', stranger('198.51.100.7', `name-${index}`));
    await refuse('names.try', stranger('198.51.100.8', 'name'));

    const rows = await auditRows(platform, "action = 'names.try'");
    const counted = await platform.query("SELECT network, count FROM audit_refusals WHERE action = 'names.try'");

    expect(rows.map(({ ip, actor_id: id }) => [ip, id])).toEqual([
      ['198.51.100.7', 'name-0'],
      ['198.51.100.8', 'name'],
    ]);
    expect(new Set(counted)).toEqual(
      new Set([
        { network: '198.51.100.7', count: 20 },
        { network: '198.51.100.8', count: 1 },
      ]),
    );
  });

  it('of a rented IPv6 network are those of one client', async () => {
    for (let index = 1; index < 9; index += 1) await refuse('site.try', stranger(`2001:db8:7:${index}::1`));

    expect(await auditRows(platform, "action = 'site.try'")).toHaveLength(1);
  });

  it('are recorded one by one as often as they are to be, and then by their number', async () => {
    const failure = { outcome: 'failure', recordedEach: 3 } as const;
    for (let index = 0; index < 8; index += 1) await refuse('each.try', stranger('203.0.113.9'), failure);
    await endRefusalWindows(platform);

    await recorder.recordEndedWindows();
    const rows = await auditRows(platform, "action = 'each.try'");

    expect(rows.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      ...Array(3).fill('failure it is closed'),
      'failure it is closed; 5 more until the end of the window',
    ]);
    expect(rows.at(-1)).toMatchObject({ actor_type: 'unknown', actor_id: null, ip: '203.0.113.9', user_agent: null });
  });

  it('of the unknown fill nothing, from however many networks they come', async () => {
    await platform.query(
      `INSERT INTO audit_refusals (key, action, actor_type, outcome, reason, network, count, recorded, ends_at)
       SELECT n::text, 'many.try', 'unknown', 'denied', 'it is closed', n::text, 1, 1, now() + interval '1 hour'
       FROM generate_series(1, 1000) AS n`,
    );

    for (let index = 1; index < 30; index += 1) await refuse('others.try', stranger(`192.0.2.${index}`));
    const counted = await platform.query("SELECT network, count FROM audit_refusals WHERE action = 'others.try'");
    await platform.query("DELETE FROM audit_refusals WHERE action = 'many.try'");

    expect(await auditRows(platform, "action = 'others.try'")).toHaveLength(1);
    expect(counted).toEqual([{ network: 'others', count: 29 }]);
  });

  it('that come in a flood are all counted', async () => {
    const flood = Array.from({ length: 200 }, () => refuse('flood.try', stranger('192.0.2.200')));
    await Promise.all(flood);
    await refuse('flood.try', stranger('192.0.2.200'));

    const counted = await platform.query("SELECT count FROM audit_refusals WHERE action = 'flood.try'");
    expect(counted).toEqual([{ count: 201 }]);
    expect(await auditRows(platform, "action = 'flood.try'")).toHaveLength(1);
  });

  it('of users are counted for each of them', async () => {
    for (const id of ['usr_a', 'usr_a', 'usr_b'])
      await refuse('users.try', { ...stranger('192.0.2.1'), type: 'user', id });

    const rows = await auditRows(platform, "action = 'users.try'");

    expect(rows.map(({ actor_id: id }) => id)).toEqual(['usr_a', 'usr_b']);
  });

  it('have an entry that verifies where the server has counted them, whatever characters they come with', async () => {
    for (let index = 0; index < 3; index += 1) await refuse('own.try', { type: 'user', id: 'usr_\ud800' });
    await endRefusalWindows(platform);

    await recorder.recordEndedWindows();

    expect(await areOwn("action = 'own.try'")).toEqual([true, true]);
  });

  it.each([
    ["'success', 'granted'", 'denied granted; 4 more until the end of the window'],
    ["'anything', 'granted'", 'denied granted; 4 more until the end of the window'],
    ["'failure', 'wrong'", 'failure wrong; 4 more until the end of the window'],
  ])('have an entry that never verifies where somebody without the secret key has put %s there', async (what, told) => {
    await platform.query(
      `INSERT INTO audit_refusals (key, action, actor_type, actor_id, outcome, reason, count, recorded, ends_at)
       VALUES ('forged', 'forged.try', 'user', $1, ${what}, 5, 1, now() - interval '1 second')`,
      [what],
    );

    await recorder.recordEndedWindows();
    const rows = await auditRows(platform, "action = 'forged.try' AND actor_id = $1", [what]);

    expect(rows.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([told]);
    expect(await areOwn('actor_id = $1', [what])).toEqual([false]);
  });

  it('have an entry that never verifies where somebody without the secret key has changed them', async () => {
    for (let index = 0; index < 3; index += 1) await refuse('changed.try', { type: 'user', id: 'usr_c' });
    await platform.query("UPDATE audit_refusals SET actor_id = 'usr_d' WHERE action = 'changed.try'");
    await endRefusalWindows(platform);

    await recorder.recordEndedWindows();

    expect(await areOwn("action = 'changed.try'")).toEqual([true, false]);
  });

  /** Whether what was recorded, the oldest first, is the server's own, when all of it is sealed. */
  async function areOwn(condition: string, values: unknown[] = []): Promise<boolean[]> {
    await eventually('all is sealed', 10, async () => {
      return (await platform.query(`SELECT FROM audit_records WHERE ${condition}`, values)).length === 0;
    });
    const sql = `SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE ${condition} ORDER BY audit_entries.sequence`;
    return (await platform.query<ReadEntry>(sql, values)).map((entry) => isOwnEntry(secretBox, entry));
  }

  function refuse(action: `${string}.try`, actor: AuditActor, more = {}): Promise<void> {
    const target = { type: 'account', id: actor.id };
    return recorder.recordRefusal(actor, { tenantId: null, action, target, reason: 'it is closed', ...more }, 900);
  }
});

function stranger(address: string, id: string | null = null): AuditActor {
  return { type: 'unknown', id, client: { address, userAgent: 'Probe/1.0', serverRequestId: 's-1' } };
}
