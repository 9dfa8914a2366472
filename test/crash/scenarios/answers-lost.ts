import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf, login } from '../client.js';
import { checkLedger, checkQuota, checkSights, countOf, settled } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

const LOSSES_A_ROUND = 3;
/** Of losses, how many come however far the servers have got with connecting again. */
const EARLY_LOSSES = 0.3;
/** Longer than a call waits for its record: what is not answered then is refused, and fails the scenario. */
const ANSWER_MS = 10_000;

/** Connections to PostgreSQL break after it has done what it was asked, and before it can say so. */
export const answersLost: Scenario = {
  name: 'answers of PostgreSQL lost',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const { url, query } = await environment.database();
    const proxy = await environment.proxy(url);
    const { replicas } = await environment.replicas(upstream, { database: { url: proxy.url, query }, count: 2 });
    const { random } = environment;
    const token = await login(replicas[0] as Replica);
    const load = new Load({ replicas, token, random, clients: 24, name: 'l' });
    const losses = environment.rounds * LOSSES_A_ROUND;
    for (let loss = 0; loss < losses; loss += 1) {
      // A database whose connections always break before a server has made its own is away, and calls are refused.
      if (!random.chance(EARLY_LOSSES)) await Promise.race([load.nextAnswer(), sleep(ANSWER_MS)]);
      await sleep(random.between(50, 500));
      await proxy.loseAnswers(random.between(1, 30));
    }
    const results = await load.stop();
    checkSights(results);
    await settled(query);
    const rows = await checkLedger({ query, upstream, results });
    await checkQuota(lifeOf(replicas[0] as Replica), token, rows);
    return { losses, calls: results.length, whole: countOf(results, 'whole') };
  },
};
