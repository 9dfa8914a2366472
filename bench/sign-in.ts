import { setTimeout as sleep } from 'node:timers/promises';
import { addAccounts, withDatabase } from './accounts.js';
import { signIn } from './api.js';
import type { Ask } from './asks.js';
import { account, gateway } from './contenders.js';
import type { Environment } from './environment.js';
import { eventLoopDelay, meterSettings, METER_MS } from './event-loop.js';
import { closedLoop, pacedStreams, percentile } from './load.js';
import { secondsWaitedForCore } from './processes.js';
import type { Figure, Section } from './section.js';

const CALLERS = [1, 4, 16];
const STREAMS = 200;
const SIGN_INS_PER_SECOND = 15;
/** Whoever signs in again has to wait for a while: the counters of an account are a row. */
const ACCOUNTS = 60;
const emailOf = (index: number) => `person${1 + (index % ACCOUNTS)}@example.test`;

const signInAsk: Ask = {
  path: '/v1/auth/login',
  body: (connection) => ({ email: emailOf(connection), password: account.password }),
  isWhole: (tail) => tail.endsWith('}'),
};

/** How many people can sign in, one after another and at once. */
export function signIns(environment: Environment): Section {
  return {
    name: 'sign-in',
    title: 'Signing in',
    about: `PostgreSQL, argon2id with 19 MiB and two passes, two hashes at once in threads; the server shares all cores with the
others. Each caller signs in again as soon as it has its tokens.`,
    columns: CALLERS.map((callers) => `${callers} ${callers === 1 ? 'caller' : 'callers'}`),
    measure: async (column, { loopSeconds, warmUpSeconds }) => {
      const running = await startWithPeople(environment);
      try {
        const callers = Number.parseInt(column, 10);
        await closedLoop(running.target, signInAsk, callers, warmUpSeconds / 2);
        const loop = await closedLoop(running.target, signInAsk, callers, 2 * loopSeconds);
        return [
          { row: 'sign-ins/s', value: loop.perSecond },
          { row: 'p50 of a sign-in, ms', value: percentile(loop.latencies, 0.5) },
          { row: 'p99 of a sign-in, ms', value: percentile(loop.latencies, 0.99) },
        ];
      } finally {
        await running.stop();
      }
    },
  };
}

/** What sign-ins do to streams. */
export function signInsBesideStreams(environment: Environment): Section {
  const [alone, beside] = ['streams alone', `beside ${SIGN_INS_PER_SECOND} sign-ins/s`] as const;
  return {
    name: 'sign-in-beside-streams',
    title: `${STREAMS} streams beside sign-ins`,
    about: `As above; paced streams have 20 events a second, and a delay is from the upstream's write to the client's read. The event
loop's is what the server itself tells in /metrics, without the ${METER_MS} ms that its meter sleeps; each
column for itself.`,
    columns: [alone, beside],
    yardstick: alone,
    rounds: 3,
    measure: async (column, { pacedSeconds, warmUpSeconds }) => {
      const running = await startWithPeople(environment);
      const { server, target } = running;
      try {
        await pacedStreams(target, STREAMS / 2, warmUpSeconds);
        await closedLoop(target, signInAsk, 2, warmUpSeconds / 2);
        const seconds = 2 * pacedSeconds;
        await eventLoopDelay(target.origin);
        const waitedBefore = secondsWaitedForCore(server.pid);
        const begin = performance.now();
        const [streams, latencies] = await Promise.all([
          pacedStreams(target, STREAMS, seconds),
          column === beside ? pacedSignIns(target.origin, seconds) : [],
        ]);
        const waited = (secondsWaitedForCore(server.pid) - waitedBefore) / (performance.now() - begin);
        const figures: Figure[] = [
          {
            row: "event loop's delay p99, ms",
            value: (await eventLoopDelay(target.origin)).p99,
            reach: { atMost: 20 },
          },
          { row: 'of its time the event loop waited for a core, %', value: waited * 100_000 },
          { row: 'event delay p50, ms', value: percentile(streams.delays, 0.5), against: 'added' },
          { row: 'event delay p99, ms', value: percentile(streams.delays, 0.99), against: 'added' },
          { row: 'late (> 20 ms), % of the events', value: (100 * streams.late) / streams.delays.length },
          { row: 'lost or reordered', value: streams.lost + streams.reordered, reach: { none: true } },
        ];
        if (latencies.length === 0) return figures;
        return [
          ...figures,
          { row: 'p50 of a sign-in, ms', value: percentile(latencies, 0.5) },
          { row: 'p99 of a sign-in, ms', value: percentile(latencies, 0.99) },
        ];
      } finally {
        await running.stop();
      }
    },
  };
}

async function startWithPeople(environment: Environment) {
  const running = await gateway(environment, 'this server', { onAllCores: true, settings: meterSettings }).start();
  await withDatabase(running.database, (database) => addAccounts(database, { name: 'person', count: ACCOUNTS }));
  return running;
}

/** Signs people in at even distances, whether or not those before are done; answers the sorted milliseconds. */
async function pacedSignIns(origin: string, seconds: number): Promise<number[]> {
  const work = async (_: unknown, index: number) => {
    await sleep((index * 1_000) / SIGN_INS_PER_SECOND);
    const begin = performance.now();
    await signIn(origin, { email: emailOf(index), password: account.password });
    return performance.now() - begin;
  };
  const latencies = await Promise.all(Array.from({ length: seconds * SIGN_INS_PER_SECOND }, work));
  return latencies.sort((a, b) => a - b);
}
