import { CheckpointReader, verifyAuditLog } from '../../../src/audit/domain.js';
import type { SignedEnd } from '../../../src/audit/chain/checkpoint-reader.js';
import { Checkpoints } from '../../../src/audit/chain/checkpoints.js';
import { AuditRetention } from '../../../src/audit/chain/retention.js';
import { lockChains } from '../../../src/audit/chain/chain-lock.js';
import type { AuditEvent } from '../../../src/platform/audit/audit-event.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { macOfRecord } from '../../../src/platform/audit/record-mac.js';
import type { RecordContent } from '../../../src/platform/audit/record-mac.js';
import type { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { newId } from '../../../src/platform/ids.js';
import { eventually } from './eventually.js';
import type { Platform, RestAnswer } from '../servers/platform.js';

/** The audit log of a platform, with a chain of a test's own. */
export class AuditChainProbe {
  readonly recorder: AuditRecorder;

  private constructor(
    private readonly platform: Platform,
    /** The id of the tenant whose chain it is. */
    readonly chain: string,
    private readonly token: string,
    readonly secretBox: SecretBox,
  ) {
    this.recorder = new AuditRecorder(platform.app.database.dataSource, secretBox);
  }

  /** @param chain the id of the tenant whose chain it is */
  static async open(platform: Platform, chain: string, token: string): Promise<AuditChainProbe> {
    const secretBox = await openSecretBox(platform.config, platform.app.database.dataSource, []);
    return new AuditChainProbe(platform, chain, token, secretBox);
  }

  /** Records so many entries, and seals them. */
  async add(count: number, event: Partial<AuditEvent> = {}): Promise<void> {
    const before = await this.length();
    const client = { address: '192.0.2.7', userAgent: 'Probe/1.0', requestId: 'r-1', serverRequestId: 's-1' };
    for (let index = 0; index < count; index += 1) {
      const target = { type: 'thing', id: `thing_${before + index + 1}` };
      const actor = { type: 'user', id: 'usr_probe', client } as const;
      await this.recorder.recordAlone(actor, { tenantId: this.chain, action: 'thing.change', target, ...event });
    }
    await this.seal(before + count);
  }

  /** Writes entries of so many days ago, and seals them. */
  async addOld(count: number, days: number): Promise<void> {
    const before = await this.length();
    const created = new Date(Date.now() - days * 24 * 60 * 60 * 1_000);
    const records = Array.from({ length: count }, () => toOldRecord(this.chain, created));
    await this.platform.query(
      `INSERT INTO audit_records (id, tenant_id, action, actor_type, outcome, salts, created_at, mac)
       SELECT r.id, $1, 'thing.change', 'system', 'success', $2, $3, r.mac
       FROM unnest($4::text[], $5::bytea[]) AS r (id, mac)`,
      [
        this.chain,
        SALTS,
        created,
        records.map(({ id }) => id),
        records.map((record) => macOfRecord(this.secretBox, record)),
      ],
    );
    await this.seal(before + count);
  }

  /** Seals what waits; the chain has at least so many entries then. */
  async seal(length: number): Promise<void> {
    await eventually('the entries are sealed', 10, async () => {
      await this.platform.runTask('sealing the audit log');
      return (await this.length()) >= length;
    });
  }

  /** Signs where the chain ends, as the server does by itself. @returns the checkpoint's token */
  async signEnd(): Promise<string> {
    const [signed] = await this.platform.app.database.dataSource.transaction(async (tx) => {
      await lockChains(tx);
      return this.checkpoints().signEnds(tx, [this.chain]);
    });
    return signed?.checkpoint.token ?? '';
  }

  /** Deletes what is older than so many days, as the server does once a day. */
  async prune(days: number, dataSource = this.platform.app.database.dataSource): Promise<void> {
    const { secretBox } = this;
    const checkpoints = this.checkpoints();
    await new AuditRetention({ dataSource, secretBox, checkpoints, audit: this.recorder, days }).prune();
  }

  async sequences(): Promise<number[]> {
    const sql =
      'SELECT sequence::float8 AS sequence FROM audit_entries WHERE chain = $1 ORDER BY audit_entries.sequence';
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

  /** Verifies the chain; when what is told has been read, and nothing else has, something happens. */
  verifyWhile(
    read: 'its end' | 'its entries',
    happen: () => Promise<void>,
    from?: SignedEnd,
  ): ReturnType<typeof verifyAuditLog> {
    const { dataSource } = this.platform.app.database;
    const { chain, secretBox } = this;
    let hasHappened = false;
    const query = async (sql: string, values?: unknown[]): Promise<unknown[]> => {
      const rows = await dataSource.query<unknown[]>(sql, values);
      const isRead = rows.length > 0 && sql.includes(read === 'its end' ? 'FROM audit_chains c' : 'FROM audit_entries');
      if (hasHappened || !isRead) return rows;
      hasHappened = true;
      await happen();
      return rows;
    };
    const checkpoints = new CheckpointReader(secretBox);
    return verifyAuditLog({ dataSource: { query } as never, secretBox, checkpoints }, { chain, from });
  }

  sign(): Promise<RestAnswer> {
    const body = { tenant_id: this.chain };
    return this.platform.request('POST', '/v1/admin/audit-logs/checkpoints', { token: this.token, body });
  }

  private checkpoints(): Checkpoints {
    const { signer } = this.platform.app.ports;
    return new Checkpoints({ secretBox: this.secretBox, sign: (type, content) => signer.sign(type, content) });
  }
}

const SALTS = Buffer.alloc(80, 0xab);

function toOldRecord(chain: string, createdAt: Date): RecordContent {
  const nothing = { actor_id: null, target_type: null, target_id: null, reason: null, ip: null, user_agent: null };
  return {
    ...nothing,
    id: newId('aud'),
    tenant_id: chain,
    action: 'thing.change',
    actor_type: 'system',
    outcome: 'success',
    request_id: null,
    server_request_id: null,
    salts: SALTS,
    created_at: createdAt,
  };
}
