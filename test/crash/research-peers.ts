import { setTimeout as sleep } from 'node:timers/promises';
import { articleOf } from '../support/servers/research-bed.js';
import { honestModel } from '../support/builders/researching-model.js';
import { startScriptedBackend } from '../support/servers/scripted-backend.js';
import type { ReceivedRequest, ScriptedBackend } from '../support/servers/scripted-backend.js';
import { addressOf, searxngAnswer, startScriptedSearxng } from '../support/servers/scripted-search.js';
import { WebSite } from '../support/servers/web-site.js';
import { failOn } from './ledger-check.js';
import type { ScenarioEnvironment } from './scenario.js';
import type { Query } from './servers.js';

/** Pages that are found; each says one thing. */
export const PAGES = 6;
/** What is researched. */
export const SETTINGS = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
/** Each call of the model takes so long, so that kills come in the middle of some. */
const ANSWER_MS = 100;

/** A site, a search engine that finds its pages, and a model that quotes them; and the settings by which servers know them. */
export async function startPeers(environment: ScenarioEnvironment) {
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
export async function checkCalls(query: Query, model: ScriptedBackend): Promise<void> {
  const rows = await query<{ outcome: string }>("SELECT outcome FROM calls WHERE area = 'researcher'");
  const answered = rows.filter(({ outcome }) => outcome === 'completed').length;
  const seen = model.requests.length;
  failOn([
    ...(rows.length < seen ? [`the model server has seen ${seen} calls, the ledger has ${rows.length}`] : []),
    ...(answered > seen ? [`${answered} calls are completed, the model server has seen ${seen}`] : []),
  ]);
}
