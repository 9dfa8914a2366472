/**
 * Serves the events of research sessions in a process of its own, and prints how fast they are replayed, and how soon many
 * readers of one session have each new one. The database is that of the environment.
 * `node --expose-gc --import tsx bench/research/time-events.ts EVENTS READERS`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Caller } from '../../src/access/caller.js';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { MemoryTopics } from '../../src/platform/cluster/topics.js';
import { newId } from '../../src/platform/ids.js';

import type { EventReader } from '../../src/platform/events/event-reader.js';
import type { ResearchSessionEvent } from '../../src/researcher/events/research-event.types.js';
import { researchFeeds, SessionEventsService } from '../../src/researcher/events/session-events.service.js';
import { appendEvents } from '../../src/researcher/sessions/append-events.js';
import { ResearchNotifier } from '../../src/researcher/sessions/research-notifier.js';
import { bearer, signIn } from '../api.js';
import { percentile } from '../load.js';
import type { Target } from '../load.js';
import type { TimedEvents } from './research-events.js';

const ROUNDS = 4;
const LIVE = 50;
const AT_ONCE = 1_000;
const TEXT = 'x'.repeat(150);
const MEBIBYTE = 1024 * 1024;
const COLON = 58;
const MAKE = `
  INSERT INTO research_sessions (id, tenant_id, owner_id, token_id, question, depth, max_sources, model,
    knowledgebase_ids, max_seconds, strict, status, progress, run, last_event_id, used_tokens, input_tokens, output_tokens, created_at)
  SELECT $1, tenant_id, id, '', 'Why?', 1, 10, '', '{}', 900, false, 'searching', 0, 1, 0, 0, 0, 0, now() FROM users
  RETURNING owner_id AS "userId", tenant_id AS "tenantId"`;

const [events = 20_000, readers = 1_000] = process.argv.slice(2).map(Number);
const account = { email: 'bench@localhost', password: newId('usr') };
const config = readConfig({
  ...process.env,
  PORT: '0',
  BOOTSTRAP_ADMIN_EMAIL: account.email,
  BOOTSTRAP_ADMIN_PASSWORD: account.password,
});
const app = await createApp(config, pino({ level: 'silent' }));
const { dataSource } = app.database;
try {
  const origin = await app.listen();
  const target = bearer(origin, (await signIn(origin, account)).access_token);
  const printed: TimedEvents = { ...(await replay(target)), ...(await readTogether()) };
  console.log(JSON.stringify(printed));
} finally {
  await app.close();
}

/** A reader over HTTP that wants all events of a session that is over; the median of some. */
async function replay(target: Target): Promise<Pick<TimedEvents, 'replayedPerSecond'>> {
  const { id } = await makeSession();
  for (let told = 0; told < events; told += AT_ONCE) await tell(id, AT_ONCE);
  await dataSource.query("UPDATE research_sessions SET status = 'completed' WHERE id = $1", [id]);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    rates.push((await readAll(target, id)) / ((performance.now() - startedAt) / 1_000));
  }
  return {
    replayedPerSecond: percentile(
      rates.slice(1).toSorted((a, b) => a - b),
      0.5,
    ),
  };
}

/** @returns how many events there are */
async function readAll({ origin, headers }: Target, id: string): Promise<number> {
  const response = await fetch(`${origin}/v1/researcher/sessions/${id}/events`, { headers });
  if (!response.ok) throw new Error(`The events were answered ${response.status}.`);
  let text = '';
  for await (const piece of response.body ?? []) text += Buffer.from(piece).toString('latin1');
  return text.split('\nid: ').length - 1;
}

/** Readers of one session in one process, without sockets: from when an event is made to when a reader has it. */
async function readTogether(): Promise<Omit<TimedEvents, 'replayedPerSecond'>> {
  const notifier = new ResearchNotifier(new MemoryTopics());
  const service = new SessionEventsService(dataSource, researchFeeds(dataSource, notifier));
  const { id, caller } = await makeSession();
  const { signal } = new AbortController();
  const all = await Promise.all(Array.from({ length: readers }, () => service.read(caller, id, 0, signal)));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const times: number[] = [];
  let toldAt = 0;
  const take = async (reader: EventReader<ResearchSessionEvent>): Promise<void> => {
    for await (const bytes of reader.batches()) if (bytes[0] !== COLON) times.push(performance.now() - toldAt);
  };
  const ended = Promise.all(all.map(take));
  for (let told = 1; told <= LIVE; told += 1) {
    toldAt = performance.now();
    await tell(id, 1);
    // What is cancelled is told at once, changes together.
    notifier.cancelled(id);
    while (times.length < told * readers) await sleep(1);
  }
  const memory = (process.memoryUsage.rss() - before) / MEBIBYTE;
  await dataSource.query("UPDATE research_sessions SET status = 'completed' WHERE id = $1", [id]);
  notifier.cancelled(id);
  await ended;
  times.sort((a, b) => a - b);
  return { median: percentile(times, 0.5), p99: percentile(times, 0.99), memory };
}

async function makeSession(): Promise<{ readonly id: string; readonly caller: Caller }> {
  const id = newId('rs');
  const [caller] = await dataSource.query<[Caller]>(MAKE, [id]);
  return { id, caller };
}

async function tell(id: string, count: number): Promise<void> {
  const told = Array.from({ length: count }, () => ({ type: 'query', data: { query: TEXT, found: 10 } }) as const);
  await dataSource.transaction((tx) => appendEvents(tx, id, told));
}
