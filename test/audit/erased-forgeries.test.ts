import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../support/builders/accounts.js';
import { AuditChainProbe } from '../support/probes/audit-chain.js';
import { AuditTables } from '../support/probes/audit-tables.js';
import { eventually } from '../support/probes/eventually.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { newServiceKey } from '../support/servers/service-key.js';

const service = newServiceKey();

describe('erasing somebody from the audit log', () => {
  let [platform, probe, tables]: [Platform, AuditChainProbe, AuditTables] = [] as never;

  beforeAll(async () => {
    platform = await startPlatform(service.env);
    const { access_token: token } = await platform.login();
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    tables = new AuditTables(platform);
    await probe.add(4);
    await tables.save();
  });
  afterAll(() => platform.close());

  it('does not make what somebody else wrote the server’s own', async () => {
    const { id } = await addSignedInUser(platform);
    await platform.query('UPDATE audit_entries SET actor_id = $2 WHERE chain = $1 AND sequence = 2', [probe.chain, id]);

    await erase(id);
    const { body } = await probe.verify();
    await tables.restore();

    expect(body.problems).toMatchObject([{ sequence: 2, problem: 'edited' }]);
  });

  it('leaves what waits to be sealed the server’s own', async () => {
    const { id } = await addSignedInUser(platform);
    const client = { address: '192.0.2.9', userAgent: 'Ann-s', requestId: 'r-9', serverRequestId: 's-9' };
    await platform.query('ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (sequence < 0) NOT VALID');
    const event = { tenantId: probe.chain, action: 'thing.change', target: { type: 'thing', id } } as const;
    await probe.recorder.recordAlone({ type: 'user', id, client }, event);

    await erase(id);
    await platform.query('ALTER TABLE audit_entries DROP CONSTRAINT no_more');
    await eventually('it is sealed', 10, async () => (await probe.idAt(5)) !== '');
    const rows = await platform.query<object>('SELECT * FROM audit_entries WHERE chain = $1 AND sequence = 5', [
      probe.chain,
    ]);

    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${id}|192.0.2.9|Ann-s|r-9`));
    expect((await probe.verify()).body).toMatchObject({ valid: true, problems: [] });
  });

  async function erase(id: string): Promise<void> {
    const { status } = await platform.request('DELETE', `/v1/auth/users/${id}`, { token: service.key });
    expect(status).toBe(204);
    await eventually('the user is erased', 20, async () => {
      const users = await platform.query('SELECT FROM users WHERE id = $1', [id]);
      const records = await platform.query('SELECT FROM audit_records WHERE $1 IN (actor_id, target_id)', [id]);
      const entries = await platform.query('SELECT FROM audit_entries WHERE $1 IN (actor_id, target_id)', [id]);
      return users.length + records.length + entries.length === 0;
    });
  }
});
