/**
 * A process that writes audit entries in transactions, and with each a row that tells of it; one in ten is rolled back.
 *
 *   tsx test/crash/audit-writer.ts DATABASE_URL NAME COUNT CHAIN…
 */
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { readConfig } from '../../src/config.js';
import { AuditRecorder } from '../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../src/platform/crypto/open-secret-box.js';
import { StoredKey } from '../../src/platform/crypto/stored-key.entity.js';

const [url, name = '', count, ...chains] = process.argv.slice(2);
const client = new Client({ connectionString: url });
await client.connect();
const dataSource = await new DataSource({ type: 'postgres', url, entities: [StoredKey] }).initialize();
const recorder = new AuditRecorder(dataSource, await openSecretBox(readConfig(), dataSource, []));
await dataSource.destroy();
const query = async (sql: string, values?: unknown[]): Promise<never> =>
  (await client.query(sql, values)).rows as never;

for (let index = 0; index < Number(count); index += 1) {
  const id = `${name}-${index}`;
  const tenantId = chains[index % chains.length] ?? null;
  await query('BEGIN');
  await query('INSERT INTO audit_written (id) VALUES ($1)', [id]);
  await recorder.record(
    { query },
    { type: 'system', id: null },
    { tenantId, action: 'load.write', target: { type: 'load', id } },
  );
  await query(index % 10 === 9 ? 'ROLLBACK' : 'COMMIT');
}
await client.end();
