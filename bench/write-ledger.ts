/**
 * Writes calls to the ledger in a process of its own, and prints what it took: one call after another, then by many
 * callers at once. The database is that of the environment.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig } from '../src/config.js';
import { schema } from '../src/domains.js';
import { Ledger } from '../src/metering/ledger/ledger.js';
import { openDatabase } from '../src/platform/database/database.js';
import { newId } from '../src/platform/ids.js';

const SECONDS = Number(process.argv[2] ?? 3);
const LONE_CALLS = 300;
const tenantId = newId('ten');
const users = Array.from({ length: 20 }, () => newId('usr'));
const log = pino({ level: 'silent' });
const database = await openDatabase(readConfig(), schema, log);
const ledger = new Ledger(database, { processId: randomUUID(), userTokens: undefined }, log);
try {
  await many(64, 1);
  const startedAt = performance.now();
  for (let call = 0; call < LONE_CALLS; call += 1) await write(call);
  const loneMilliseconds = (performance.now() - startedAt) / LONE_CALLS;
  const [few, more] = [await many(64, SECONDS), await many(256, SECONDS)];
  console.log(JSON.stringify({ loneMilliseconds, few, more }));
} finally {
  await ledger.close();
  await database.close();
}

/** From the intent to the settlement. */
async function write(caller: number): Promise<void> {
  const userId = users[caller % users.length] as string;
  const owner = { id: newId('call'), tenantId, userId, period: '2026-11-01' };
  const call = {
    tokenId: 'tok_01h45ytscbebyvny4gc8cr8ma2',
    requestId: owner.id,
    area: 'chat',
    model: 'plain',
  } as const;
  const reserve = { promptTokens: 12, reservedTokens: 4_108 };
  await ledger.admit({ ...owner, ...call, ...reserve, backend: 'gpu-1', createdAt: new Date() });
  const end = { state: 'exact', outcome: 'completed', promptTokens: 10, completionTokens: 20 } as const;
  await ledger.settle({ ...owner, ...end, durationMs: 30, keepClaim: false });
}

interface Loop {
  readonly perSecond: number;
  /** Processor time of this process for each call, in microseconds. */
  readonly processorUs: number;
  /** That of PostgreSQL; undefined where it cannot be told. */
  readonly databaseUs: number | undefined;
}

async function many(callers: number, seconds: number): Promise<Loop> {
  const [startedAt, cpu, databaseCpu] = [performance.now(), process.cpuUsage(), await databaseMicroseconds()];
  const endsAt = startedAt + seconds * 1_000;
  let calls = 0;
  const loop = async (_: unknown, caller: number): Promise<void> => {
    for (; performance.now() < endsAt; calls += 1) await write(caller);
  };
  await Promise.all(Array.from({ length: callers }, loop));
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = (calls * 1_000) / (performance.now() - startedAt);
  const databaseUs = databaseCpu === undefined ? undefined : ((await databaseMicroseconds()) ?? 0) - databaseCpu;
  return { perSecond, processorUs: (user + system) / calls, databaseUs: databaseUs && databaseUs / calls };
}

/** What the processes behind our connections have used, where they are PostgreSQL's own on this Linux machine. */
async function databaseMicroseconds(): Promise<number | undefined> {
  if (database.embedded || process.platform !== 'linux') return undefined;
  const sql = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database()';
  const backends = await database.dataSource.query<{ pid: number }[]>(sql);
  const nanoseconds = backends.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]));
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1_000;
}
