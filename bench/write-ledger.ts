/**
 * Writes calls to the ledger in a process of its own, and prints what it took: one call after another, then by many
 * callers at once. The database is that of the environment.
 */
import { randomUUID } from 'node:crypto';
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

/** Calls a second, and this process's processor time for each in microseconds. */
async function many(callers: number, seconds: number): Promise<{ perSecond: number; processorUs: number }> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const endsAt = startedAt + seconds * 1_000;
  let calls = 0;
  const loop = async (_: unknown, caller: number): Promise<void> => {
    for (; performance.now() < endsAt; calls += 1) await write(caller);
  };
  await Promise.all(Array.from({ length: callers }, loop));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (calls * 1_000) / (performance.now() - startedAt), processorUs: (user + system) / calls };
}
