/**
 * Writes, seals and verifies an audit log in a process of its own, and prints what it took. The database is that of the
 * environment. As `write-audit.ts writer SECONDS` it writes entries as fast as it can.
 */
import { spawn } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { CompactSign } from 'jose';
import { pino } from 'pino';
import { CheckpointReader } from '../src/audit/chain/checkpoint-reader.js';
import { Checkpoints } from '../src/audit/chain/checkpoints.js';
import { AuditSealer } from '../src/audit/chain/sealer.js';
import { verifyAuditLog } from '../src/audit/domain.js';
import { readConfig } from '../src/config.js';
import { schema } from '../src/domains.js';
import { AuditRecorder } from '../src/platform/audit/audit-recorder.js';
import { macOfRecord } from '../src/platform/audit/record-mac.js';
import { openSecretBox } from '../src/platform/crypto/open-secret-box.js';
import { openDatabase } from '../src/platform/database/database.js';
import { newId } from '../src/platform/ids.js';

/** Transactions before those that count: the first ones take longer by what has yet to be compiled. */
const WARM_UP = 500;
const TRANSACTIONS = 1_000;
const TO_SEAL = 30_000;
const WRITERS = 3;
const WRITING_SECONDS = 8;
const SEAL_MS = 500;
const CHAINS = Array.from({ length: 4 }, () => newId('ten'));
const ACTOR = {
  type: 'user',
  id: newId('usr'),
  client: { address: '192.0.2.7', userAgent: 'curl/8.5.0', requestId: newId('call'), serverRequestId: newId('call') },
} as const;

const FILL = `
  INSERT INTO audit_records (id, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, ip, user_agent,
    request_id, server_request_id, salts, created_at, mac)
  SELECT id, tenant_id, action, actor_type, actor_id, target_type, target_id, outcome, ip, user_agent, request_id,
    server_request_id, decode(repeat('ab', 80), 'hex'), created_at, decode(mac, 'hex')
  FROM jsonb_to_recordset($1) AS r (id text, tenant_id text, action text, actor_type text, actor_id text,
    target_type text, target_id text, outcome text, ip text, user_agent text, request_id text, server_request_id text,
    created_at timestamptz, mac text)`;

const config = readConfig();
const log = pino({ level: 'silent' });
const database = await openDatabase(config, schema, log);
const { dataSource } = database;
const secretBox = await openSecretBox(config, dataSource, schema.sealed ?? []);
const recorder = new AuditRecorder(dataSource, secretBox);
try {
  if (process.argv[2] === 'writer') await write(Number(process.argv[3]));
  else console.log(JSON.stringify(await measure()));
} finally {
  await database.close();
}

async function measure(): Promise<object> {
  await dataSource.query('CREATE TABLE bench_things (id integer PRIMARY KEY, value integer NOT NULL)');
  await dataSource.query('INSERT INTO bench_things SELECT n, 0 FROM generate_series(1, 1000) n');
  const transactions = await measureTransactions();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sign = async (type: string, content: object) => ({
    token: await new CompactSign(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: type })
      .sign(privateKey),
    kid: 'bench',
    publicJwk: createPublicKey(privateKey).export({ format: 'jwk' }),
  });
  const checkpoints = new Checkpoints({ secretBox, sign });
  const sealer = new AuditSealer({ dataSource, secretBox, checkpoints, log, sealed: () => undefined });
  await sealer.seal();
  await dataSource.query(FILL, [JSON.stringify(Array.from({ length: TO_SEAL }, (_, index) => toRecord(index)))]);
  const sealSeconds = await secondsOf(() => sealer.seal());
  const longestLagSeconds = database.embedded ? undefined : await lagBesideWriters(sealer);
  const parts = { dataSource, secretBox, checkpoints: new CheckpointReader(secretBox) };
  await verifyAuditLog(parts);
  const [startedAt, { entries, problems }] = [performance.now(), await verifyAuditLog(parts)];
  if (problems.length > 0) throw new Error(`The audit log is broken: ${JSON.stringify(problems[0])}`);
  const verifySeconds = (performance.now() - startedAt) / 1_000;
  return {
    ...transactions,
    sealedPerSecond: TO_SEAL / sealSeconds,
    longestLagSeconds,
    entries,
    verifiedPerSecond: entries / verifySeconds,
  };
}

function toRecord(index: number): object {
  const record = {
    id: newId('aud'),
    tenant_id: CHAINS[index % CHAINS.length] ?? null,
    action: 'thing.change',
    actor_type: 'user',
    actor_id: `usr_${index}`,
    target_type: 'thing',
    target_id: `thing_${index}`,
    outcome: 'success',
    reason: null,
    ip: '192.0.2.7',
    user_agent: 'curl/8.5.0',
    request_id: `r-${index}`,
    server_request_id: `s-${index}`,
    salts: Buffer.alloc(80, 0xab),
    created_at: new Date(),
  };
  return { ...record, mac: macOfRecord(secretBox, record).toString('hex') };
}

/** Both kinds by turns, since the disk is not equally fast all the time. */
async function measureTransactions(): Promise<{ plainMilliseconds: number; recordedMilliseconds: number }> {
  const plain: number[] = [];
  const recorded: number[] = [];
  for (let index = 0; index < WARM_UP; index += 1) await change(index, index % 2 === 0);
  for (let index = 0; index < TRANSACTIONS; index += 1) {
    plain.push((await secondsOf(() => change(index, false))) * 1_000);
    recorded.push((await secondsOf(() => change(index, true))) * 1_000);
  }
  return { plainMilliseconds: median(plain), recordedMilliseconds: median(recorded) };
}

/** A change as services make one: the row is read and locked, then written. */
async function change(index: number, isRecorded: boolean): Promise<void> {
  await dataSource.transaction(async (tx) => {
    const id = 1 + (index % 1_000);
    await tx.query('SELECT value FROM bench_things WHERE id = $1 FOR UPDATE', [id]);
    await tx.query('UPDATE bench_things SET value = value + 1 WHERE id = $1', [id]);
    if (!isRecorded) return;
    const target = { type: 'thing', id: `thing_${id}` };
    await recorder.record(tx, ACTOR, { tenantId: CHAINS[0] ?? null, action: 'thing.change', target });
  });
}

/** The longest time that an entry was there and not sealed, while other processes write. */
async function lagBesideWriters(sealer: AuditSealer): Promise<number> {
  const args = [...process.execArgv, import.meta.filename, 'writer', String(WRITING_SECONDS)];
  const writers = Array.from({ length: WRITERS }, () => spawn(process.execPath, args, { stdio: 'inherit' }));
  const ended = Promise.all(writers.map((writer) => once(writer, 'exit')));
  let isWriting = true;
  void ended.then(() => (isWriting = false));
  let longest = 0;
  const sql = 'SELECT extract(epoch FROM now() - min(created_at))::float8 AS age FROM audit_records';
  while (isWriting) {
    await sealer.seal();
    await new Promise((resolve) => setTimeout(resolve, SEAL_MS));
    const [row] = await dataSource.query<{ age: number | null }[]>(sql);
    longest = Math.max(longest, row?.age ?? 0);
  }
  await sealer.seal();
  return longest;
}

async function write(seconds: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  for (let index = 0; performance.now() < endsAt; index += 1) await change(index, true);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
