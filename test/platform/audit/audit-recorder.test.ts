import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditActor } from '../../../src/platform/audit/audit-event.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { auditRows, endRefusalWindows } from '../../support/audit-rows.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';

describe('refusals', () => {
  let platform: Platform;
  let recorder: AuditRecorder;

  beforeAll(async () => {
    platform = await startPlatform();
    const { dataSource } = platform.app.database;
    recorder = new AuditRecorder(dataSource, await openSecretBox(platform.config, dataSource, []));
  });
  afterAll(() => platform.close());

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

  function refuse(action: `${string}.try`, actor: AuditActor, more = {}): Promise<void> {
    const target = { type: 'account', id: actor.id };
    return recorder.recordRefusal(actor, { tenantId: null, action, target, reason: 'it is closed', ...more }, 900);
  }
});

function stranger(address: string, id: string | null = null): AuditActor {
  return { type: 'unknown', id, client: { address, userAgent: 'Probe/1.0', serverRequestId: 's-1' } };
}
