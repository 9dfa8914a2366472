import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { articleOf } from '../../support/research-bed.js';
import { honestModel } from '../../support/researching-model.js';
import { startScriptedBackend } from '../../support/scripted-backend.js';
import type { ReceivedRequest, ScriptedBackend } from '../../support/scripted-backend.js';
import { addressOf, searxngAnswer, startScriptedSearxng } from '../../support/scripted-search.js';
import { WebSite } from '../../support/web-site.js';
import { login } from '../client.js';
import { failOn, settled } from '../ledger-check.js';
import { checkRows, compareSessions, ResearchedSessions } from '../researched-sessions.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const PAGES = 6;
const SETTINGS = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
/** Each call of the model takes so long, so that kills come in the middle of some. */
const ANSWER_MS = 100;

/** Two servers on one PostgreSQL do research; whichever has begun the session is killed at some point of it. */
export const researchKilled: Scenario = {
  name: 'research killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const { random, rounds } = environment;
    const { env, model } = await startPeers(environment);
    const { url, query } = await environment.database();
    const shared = { ...env, DATABASE_URL: url, SECRET_KEY, DATA_DIR: join(environment.folder, 'shared') };
    const servers = [environment.replica(shared), environment.replica(shared)] as const;
    await servers[0].start();
    const sessions = new ResearchedSessions(servers, await login(servers[0]), SETTINGS);
    const startedAt = performance.now();
    const undisturbed = await sessions.completed(await sessions.begin());
    const milliseconds = performance.now() - startedAt;
    if (undisturbed.session.report.sentences.length !== PAGES)
      throw new Error('The undisturbed report lacks something.');
    await servers[1].start();
    let interrupted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const id = await sessions.begin();
      await sleep(random.between(0, milliseconds));
      const [row] = await query<{ status: string }>('SELECT status FROM research_sessions WHERE id = $1', [id]);
      if (row?.status !== 'completed') interrupted += 1;
      for (const server of servers) await server.kill();
      for (const server of servers) await server.start();
      compareSessions(undisturbed, await sessions.completed(id));
    }
    await settled(query);
    await checkCalls(query, model);
    // What was written and not kept is deleted when it is known that its process is dead.
    const steps = await eventually('all is as it should be', 60, () => checkRows(query).catch(() => false as const));
    for (const server of servers) await server.stop();
    return { rounds, kills: 2 * rounds, interrupted, steps };
  },
};

/** A site, a search engine that finds its pages, and a model that quotes them. */
async function startPeers(environment: ScenarioEnvironment) {
  const pages = Array.from({ length: PAGES }, (_, index) => index + 1);
  const routes = Object.fromEntries(pages.map((page) => [`/page-${page}`, pageOf(page)]));
  const site = await WebSite.start(routes);
  const searxng = await startScriptedSearxng();
  searxng.byDefault = () => searxngAnswer(pages.map((page) => ({ url: site.url(`/page-${page}`) })));
  const model = await startScriptedBackend();
  const honest = honestModel('Kessel');
  model.byDefault = (request: ReceivedRequest) => {
    const { pieces = [], ...script } = honest(request);
    return { ...script, pieces: [sleep(ANSWER_MS), ...(pieces as Iterable<string>)] };
  };
  environment.onClose(async () => void (await Promise.all([site.close(), searxng.close(), model.close()])));
  const egress = { EGRESS_ALLOW: '127.0.0.1/32', EGRESS_PORTS: '1-65535' };
  return { model, env: { SEARXNG_URL: addressOf(searxng), OPENAI_BASE_URL: model.url, ...egress } };
}

function pageOf(page: number) {
  const filler = Array.from(
    { length: 20 },
    (_, at) => `Remark ${at} of guide ${page} tells of the weather, and of meals.`,
  );
  return articleOf(`Guide ${page}`, `By guide ${page} the Kessel bridge has ${page}00 lamps.`, ...filler);
}

/** One entry of the ledger for each call that the model server has seen. @throws Error */
async function checkCalls(query: Query, model: ScriptedBackend): Promise<void> {
  const rows = await query<{ outcome: string }>("SELECT outcome FROM calls WHERE area = 'researcher'");
  const answered = rows.filter(({ outcome }) => outcome === 'completed').length;
  const seen = model.requests.length;
  failOn([
    ...(rows.length < seen ? [`the model server has seen ${seen} calls, the ledger has ${rows.length}`] : []),
    ...(answered > seen ? [`${answered} calls are completed, the model server has seen ${seen}`] : []),
  ]);
}
