import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf, login } from '../client.js';
import type { CallResult } from '../client.js';
import { eventually } from '../../support/probes/eventually.js';
import { checkLedger, checkOutageSights, checkQuota, countOf, settled, slowestRefusal } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

/** Longer than a lease, and than anybody waits for a record. */
const SILENCE_MS = 8_000;

/** One of two replicas hears nothing of PostgreSQL for a while, and no connection breaks. */
export const databaseSilent: Scenario = {
  name: 'PostgreSQL silent',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const database = await environment.database();
    const proxy = await environment.proxy(database.url);
    const { query } = database;
    const [one] = (await environment.replicas(upstream, { database, count: 1 })).replicas as [Replica];
    const behindProxy = { database: { url: proxy.url, query }, count: 1 };
    const [deaf] = (await environment.replicas(upstream, behindProxy)).replicas as [Replica];
    const token = await login(one);
    const all: CallResult[] = [];
    const silences = Math.ceil(environment.rounds / 10);
    for (let silence = 0; silence < silences; silence += 1) {
      const load = { token, random: environment.random, clients: 12 };
      const atDeaf = new Load({ ...load, replicas: [deaf], name: `d${silence}` });
      const atOne = new Load({ ...load, replicas: [one], name: `o${silence}` });
      await eventually('the clients call', 20, () => atDeaf.results.length > 50);
      proxy.fallSilent();
      await sleep(SILENCE_MS);
      proxy.speak();
      const answered = countOf(atDeaf.results, 'whole');
      await eventually('calls are answered again', 30, () => countOf(atDeaf.results, 'whole') > answered + 50);
      all.push(...(await atDeaf.stop()), ...(await atOne.stop()));
      checkOutageSights(all);
      if (countOf(all, 'refused') === 0) throw new Error('Nothing was refused.');
      const atOther = all.filter(({ life }) => life === lifeOf(one));
      if (countOf(atOther, 'refused', 'cut') > 0) throw new Error('The other replica refused calls.');
    }
    await settled(query);
    const rows = await checkLedger({ query, upstream, results: all });
    await checkQuota(lifeOf(deaf), token, rows);
    const [whole, refused] = [countOf(all, 'whole'), countOf(all, 'refused')];
    return { silences, calls: all.length, whole, refused, 'ms the slowest refusal': slowestRefusal(all) };
  },
};
