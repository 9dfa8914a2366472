/**
 * The crash and outage tests: real processes are killed, paused and cut off from what they need while they answer, and
 * the ledger is compared with what a model server and its clients really saw.
 *
 *   npm run test:crash -- [--rounds 10] [--sampled-rounds 10] [--seed N] [--only TEXT]
 *
 * CRASH_ROUNDS is the default of --rounds, which is the default of --sampled-rounds: how many rounds the longest
 * scenarios play, beginning with the one that the seed says. The seed repeats what is chosen, not when it happens.
 */
import { parseArgs } from 'node:util';
import type { Scenario, ScenarioEnvironment } from './scenario.js';
import { fail, TestBed } from './test-bed.js';
import { answersLost } from './scenarios/answers-lost.js';
import { auditKilled } from './scenarios/audit-killed.js';
import { databaseSilent } from './scenarios/database-silent.js';
import { databaseStopped } from './scenarios/database-stopped.js';
import { deletionKilled } from './scenarios/deletion-killed.js';
import { documentTranslationKilled } from './scenarios/document-translation-killed.js';
import { embeddedKilled } from './scenarios/embedded-killed.js';
import { hardBudget } from './scenarios/hard-budget.js';
import { indexingKilled } from './scenarios/indexing-killed.js';
import { redisStopped } from './scenarios/redis-stopped.js';
import { replicaPaused } from './scenarios/replica-paused.js';
import { replicasKilled } from './scenarios/replicas-killed.js';
import { retriesThroughKills } from './scenarios/retries-through-kills.js';
import { researchKilled } from './scenarios/research-killed.js';
import { researchTakenOver } from './scenarios/research-taken-over.js';
import { reviewKilled } from './scenarios/review-killed.js';
import { revocation } from './scenarios/revocation.js';
import { syncKilled } from './scenarios/sync-killed.js';
import { transcriptionKilled } from './scenarios/transcription-killed.js';

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
  deletionKilled,
  syncKilled,
  auditKilled,
  indexingKilled,
  reviewKilled,
  researchKilled,
  researchTakenOver,
  transcriptionKilled,
  documentTranslationKilled,
  revocation,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: process.env.CRASH_ROUNDS ?? '10' },
    'sampled-rounds': { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const sampledRounds = Number(values['sampled-rounds'] ?? rounds);
if (![rounds, sampledRounds].every((count) => Number.isInteger(count) && count > 0) || !Number.isInteger(seed))
  fail('--rounds, --sampled-rounds and --seed are whole numbers.');
const chosen = SCENARIOS.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) fail(`There is no such scenario; there are ${SCENARIOS.map(({ name }) => name).join(', ')}.`);

const bed = await TestBed.start('crash');
console.log(`seed ${seed}, ${rounds} rounds, ${sampledRounds} of the longest scenarios`);
let failed = false;
try {
  for (const scenario of chosen) {
    if (!(await play(scenario))) failed = true;
  }
} finally {
  await bed.close(failed);
}
if (failed) fail(`Logs are in ${bed.folder}.`);

function openEnvironment({ name, isSampled = false }: Scenario): Promise<ScenarioEnvironment> {
  return isSampled
    ? bed.openEnvironment(name, sampledRounds, seed, sampledRounds < rounds)
    : bed.openEnvironment(name, rounds, seed);
}

async function play(scenario: Scenario): Promise<boolean> {
  const lacking = scenario.lacks?.();
  if (lacking !== undefined) {
    console.log(`skipped ${scenario.name}: ${lacking}`);
    return true;
  }
  const environment = await openEnvironment(scenario);
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);
  try {
    const figures = await scenario.run(environment);
    const texts = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
    console.log(`ok      ${scenario.name}: ${texts.join(', ')}, ${seconds()} s`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${scenario.name} after ${seconds()} s`);
    console.log(error);
    return false;
  } finally {
    await environment.close();
  }
}
