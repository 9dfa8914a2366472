import { Checkpoints } from '../../src/audit/chain/checkpoints.js';
import { AuditRetention } from '../../src/audit/chain/retention.js';
import type { AuditEvent } from '../../src/platform/audit/audit-event.js';
import { AuditRecorder } from '../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../src/platform/crypto/open-secret-box.js';
import { newId } from '../../src/platform/ids.js';
import { eventually } from './eventually.js';
import type { Platform, RestAnswer } from './platform.js';

/** The audit log of a platform, with a chain of a test's own. */
export class AuditChainProbe {
  readonly recorder: AuditRecorder;

  constructor(
    private readonly platform: Platform,
    /** The id of the tenant whose chain it is. */
    readonly chain: string,
    private readonly token: string,
  ) {
    this.recorder = new AuditRecorder(platform.app.database.dataSource);
  }

  /** Records so many entries, and waits until they are sealed. */
  async add(count: number, event: Partial<AuditEvent> = {}): Promise<void> {
    const before = await this.length();
    const client = { address: '192.0.2.7', userAgent: 'Probe/1.0', requestId: 'r-1', serverRequestId: 's-1' };
    for (let index = 0; index < count; index += 1) {
      const target = { type: 'thing', id: `thing_${before + index + 1}` };
      const actor = { type: 'user', id: 'usr_probe', client } as const;
      await this.recorder.recordAlone(actor, { tenantId: this.chain, action: 'thing.change', target, ...event });
    }
    await eventually('the entries are sealed', 10, async () => (await this.length()) >= before + count);
  }

  /** Writes entries of so many days ago, and waits until they are sealed. */
  async addOld(count: number, days: number): Promise<void> {
    const before = await this.length();
    await this.platform.query(
      `INSERT INTO audit_records (id, tenant_id, action, actor_type, outcome, salts, created_at)
       SELECT $1 || n, $2, 'thing.change', 'system', 'success', decode(repeat('ab', 80), 'hex'),
         now() - make_interval(days => $3)
       FROM generate_series(1, $4) AS n`,
      [`${newId('aud')}_`, this.chain, days, count],
    );
    await eventually('the old entries are sealed', 10, async () => (await this.length()) >= before + count);
  }

  /** Deletes what is older than so many days, as the server does once a day. */
  async prune(days: number): Promise<void> {
    const { app, config } = this.platform;
    const { dataSource } = app.database;
    const secretBox = await openSecretBox(config, dataSource, []);
    const { signer } = app.ports;
    const checkpoints = new Checkpoints({ secretBox, sign: (type, content) => signer.sign(type, content) });
    await new AuditRetention({ dataSource, checkpoints, audit: this.recorder, days }).prune();
  }

  async sequences(): Promise<number[]> {
    const sql = 'SELECT sequence::integer AS sequence FROM audit_entries WHERE chain = $1 ORDER BY sequence';
    return (await this.platform.query<{ sequence: number }>(sql, [this.chain])).map(({ sequence }) => sequence);
  }

  async length(): Promise<number> {
    const sql = 'SELECT count(*)::integer AS count FROM audit_entries WHERE chain = $1';
    const [row] = await this.platform.query<{ count: number }>(sql, [this.chain]);
    return row?.count ?? 0;
  }

  /** The id of an entry. */
  async idAt(sequence: number): Promise<string> {
    const sql = 'SELECT id FROM audit_entries WHERE chain = $1 AND sequence = $2';
    return (await this.platform.query<{ id: string }>(sql, [this.chain, sequence]))[0]?.id ?? '';
  }

  verify(parameters: Record<string, string> = {}): Promise<RestAnswer> {
    const query = new URLSearchParams({ tenant_id: this.chain, ...parameters });
    return this.platform.request('GET', `/v1/admin/audit-logs/verify?${query}`, { token: this.token });
  }

  sign(): Promise<RestAnswer> {
    const body = { tenant_id: this.chain };
    return this.platform.request('POST', '/v1/admin/audit-logs/checkpoints', { token: this.token, body });
  }
}
