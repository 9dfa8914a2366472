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
import { openSecretBox } from '../src/platform/crypto/open-secret-box.js';
import { openDatabase } from '../src/platform/database/database.js';
import { newId } from '../src/platform/ids.js';

const TRANSACTIONS = 400;
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
    request_id, server_request_id, salts, created_at)
  SELECT 'aud_' || n, ($2::text[])[1 + n % 4], 'thing.change', 'user', 'usr_' || n, 'thing', 'thing_' || n, 'success', '192.0.2.7',
    'curl/8.5.0', 'r-' || n, 's-' || n, decode(repeat('ab', 80), 'hex'), now() FROM generate_series(1, $1::integer) n`;

const config = readConfig();
const database = await openDatabase(config, schema, pino({ level: 'silent' }));
const { dataSource } = database;
const recorder = new AuditRecorder(dataSource);
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
  const secretBox = await openSecretBox(config, dataSource, schema.sealed ?? []);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sign = async (type: string, content: object) => ({
    token: await new CompactSign(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: type })
      .sign(privateKey),
    kid: 'bench',
    publicJwk: createPublicKey(privateKey).export({ format: 'jwk' }),
  });
  const checkpoints = new Checkpoints({ secretBox, sign });
  const sealer = new AuditSealer({ dataSource, secretBox, checkpoints, sealed: () => undefined });
  await sealer.seal();
  await dataSource.query(FILL, [TO_SEAL, CHAINS]);
  const sealSeconds = await secondsOf(() => sealer.seal());
  const longestLagSeconds = database.embedded ? undefined : await lagBesideWriters(sealer);
  const parts = { dataSource, secretBox, checkpoints: new CheckpointReader(dataSource, secretBox) };
  await verifyAuditLog(parts, undefined);
  const [startedAt, { entries, problems }] = [performance.now(), await verifyAuditLog(parts, undefined)];
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

/** Both kinds by turns, since the disk is not equally fast all the time. */
async function measureTransactions(): Promise<{ plainMilliseconds: number; recordedMilliseconds: number }> {
  const plain: number[] = [];
  const recorded: number[] = [];
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
