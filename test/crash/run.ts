/**
 * The crash and outage tests: real processes are killed, paused and cut off from what they need while they answer, and
 * the ledger is compared with what a model server and its clients really saw.
 *
 *   npm run test:crash -- [--rounds 10] [--seed N] [--only TEXT]
 *
 * CRASH_ROUNDS is the default of --rounds. The seed repeats what is chosen, not when it happens.
 */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stage } from './scenario.js';
import type { Scenario } from './scenario.js';
import { Postgres } from './servers.js';
import { answersLost } from './scenarios/answers-lost.js';
import { databaseSilent } from './scenarios/database-silent.js';
import { databaseStopped } from './scenarios/database-stopped.js';
import { embeddedKilled } from './scenarios/embedded-killed.js';
import { hardBudget } from './scenarios/hard-budget.js';
import { redisStopped } from './scenarios/redis-stopped.js';
import { replicaPaused } from './scenarios/replica-paused.js';
import { replicasKilled } from './scenarios/replicas-killed.js';
import { retriesThroughKills } from './scenarios/retries-through-kills.js';

const SCENARIOS: readonly Scenario[] = [
  replicasKilled,
  embeddedKilled,
  hardBudget,
  retriesThroughKills,
  replicaPaused,
  databaseStopped,
  databaseSilent,
  answersLost,
  redisStopped,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: process.env.CRASH_ROUNDS ?? '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) fail('--rounds and --seed are whole numbers.');
const chosen = SCENARIOS.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) fail(`There is no such scenario; there are ${SCENARIOS.map(({ name }) => name).join(', ')}.`);
requirePrograms();

const folder = await mkdtemp(join(tmpdir(), 'crash-'));
// PostgreSQL runs as another user where this runs as root.
chmodSync(folder, 0o711);
const postgres = await Postgres.start(join(folder, 'postgres'));
console.log(`seed ${seed}, ${rounds} rounds`);
let failed = false;
let playing: Stage | undefined;
// Nothing that was started here outlives this process.
for (const end of ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection']) {
  process.once(end, async (reason: unknown) => {
    console.error(reason);
    await playing?.close();
    await postgres.close();
    fail(`Ended by ${end}.`);
  });
}
try {
  for (const scenario of chosen) {
    if (!(await play(scenario))) failed = true;
  }
} finally {
  await postgres.close();
}
if (failed) fail(`Logs are kept in ${folder}.`);
await rm(folder, { recursive: true });

async function play(scenario: Scenario): Promise<boolean> {
  const own = join(folder, scenario.name.replaceAll(' ', '-'));
  await mkdir(own);
  const stage = new Stage(own, postgres, rounds, seed);
  playing = stage;
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);
  try {
    const figures = await scenario.run(stage);
    const texts = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
    console.log(`ok      ${scenario.name}: ${texts.join(', ')}, ${seconds()} s`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${scenario.name} after ${seconds()} s`);
    console.log(error);
    return false;
  } finally {
    await stage.close();
  }
}

/** Says at once what is missing, and where it comes from. */
function requirePrograms(): void {
  const path = (process.env.PATH ?? '').split(delimiter);
  const has = (program: string) => path.some((directory) => existsSync(join(directory, program)));
  const packaged = '/usr/lib/postgresql';
  const hasPostgres = has('pg_ctl') || (existsSync(packaged) && readdirSync(packaged).length > 0);
  const missing = [...(hasPostgres ? [] : ['postgresql']), ...(has('redis-server') ? [] : ['redis-server'])];
  if (missing.length === 0) return;
  fail(`These tests start their own servers and need ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
