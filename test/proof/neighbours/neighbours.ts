import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_KEY } from '../../crash/scenario.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { TestBed } from '../../crash/test-bed.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import type { Outcomes } from './be-greedy.js';
import { backendsOf, GreedyModels } from './greedy-models.js';
import { GreedyProcess } from './greedy-user.js';
import { GREEDY_WORKS } from './greedy-works.js';
import { OtherChats } from './other-chats.js';
import { problemsOf, reportOf } from './report.js';
import type { WorkResult } from './report.js';
import { NeighbourSite } from './site.js';
import { Watch } from './watch.js';

const CHATS_PER_SECOND = 20;
const ALONE_MS = 10_000;
const BESIDE_MS = 20_000;
const LOOK_EVERY_MS = 500;
/** After so long everything is given back. */
const REST_MS = 5_000;
const REST_LOOKS = 10;

/** One user after another takes all that there is of a resource, while users of another tenant chat. */
export const neighbours: Proof = {
  name: 'neighbours',
  about: 'one user who wants all of a resource slows the chats of another tenant by less than 3, and fails none',
  run: async (bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const environment = await bed.openEnvironment('neighbours', 1, seed);
    try {
      const greedy = await GreedyProcess.start();
      environment.onClose(async () => greedy.close());
      const site = await startSite(environment, greedy.modelsUrl);
      await using chats = new OtherChats(site.origin, site.others);
      // Until the code that chats run is compiled.
      await chats.chatFor(BESIDE_MS, CHATS_PER_SECOND);
      const results: WorkResult[] = [];
      for (const number of GREEDY_WORKS.keys()) {
        const result = await tryWork(number, site, greedy, chats);
        console.error(
          `${result.work.resource}: p99 ${result.alone.p99Ms.toFixed(0)} → ${result.beside.p99Ms.toFixed(0)} ms`,
        );
        results.push(result);
      }
      return { report: reportOf(results, seed), problems: results.flatMap(problemsOf) };
    } finally {
      await environment.close();
    }
  },
};

async function startSite(environment: ScenarioEnvironment, greedyUrl: string): Promise<NeighbourSite> {
  const models = await GreedyModels.start();
  environment.onClose(() => models.close());
  const file = join(environment.folder, 'backends.json');
  writeFileSync(file, JSON.stringify(backendsOf(models.url, greedyUrl)));
  const { url, query } = await environment.database();
  const service = newServiceKey();
  const replica = environment.replica({
    DATABASE_URL: url,
    SECRET_KEY,
    DATA_DIR: join(environment.folder, 'data'),
    BACKENDS_FILE: file,
    BUILTIN_BACKEND: 'true',
    RATE_LIMIT_REQUESTS_PER_MINUTE: '600',
    ...service.env,
  });
  await replica.start();
  return NeighbourSite.open(replica, query, service.key);
}

async function tryWork(
  number: number,
  site: NeighbourSite,
  greedy: GreedyProcess,
  chats: OtherChats,
): Promise<WorkResult> {
  const work = GREEDY_WORKS[number] as WorkResult['work'];
  const user = { origin: site.origin, token: await site.addGreedyUser() };
  const prepared = await greedy.prepare(number, user);
  const watch = new Watch(site, work);
  const before = await watch.look();
  const alone = await chats.chatFor(ALONE_MS, CHATS_PER_SECOND);
  const ending = new AbortController();
  greedy.begin(number, user, prepared);
  const looked = new Watch(site, work).lookUntil(ending.signal, LOOK_EVERY_MS);
  const beside = await chats.chatFor(BESIDE_MS, CHATS_PER_SECOND);
  const load = loadavg()[0] ?? 0;
  ending.abort();
  const most = await looked;
  const outcomes: Outcomes = await greedy.end();
  const beyond = watch.problemsOf(most);
  const unrested = await restOf(watch);
  // So that the next work has a server to itself.
  await eventually('all is given back', 60, async () => (await watch.unrested()).length === 0);
  return { work, before, alone, beside, most, outcomes, beyond, unrested, load };
}

/** What is still taken when it should not be any more. */
async function restOf(watch: Watch): Promise<readonly string[]> {
  for (let look = 1; look < REST_LOOKS; look += 1) {
    if ((await watch.unrested()).length === 0) return [];
    await sleep(REST_MS / REST_LOOKS);
  }
  return watch.unrested();
}
