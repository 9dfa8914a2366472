import { setTimeout as sleep } from 'node:timers/promises';
import { login, lifeOf } from '../client.js';
import { checkLedger, checkQuota, checkSights, countOf, settled } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, Stage } from '../scenario.js';

const CLIENTS = 24;
/** So many rounds are checked together: the dead are dead for some seconds. */
const ROUNDS_A_CHECK = 10;

/** Replicas are killed under load, one or two at a time, and started again. */
export const replicasKilled: Scenario = {
  name: 'replicas killed',
  async run(stage: Stage): Promise<Figures> {
    const upstream = await stage.upstream();
    const { replicas, query } = await stage.replicas(upstream);
    const token = await login(replicas[0] as Replica);
    const { random } = stage;
    const all = [];
    let kills = 0;
    for (let round = 0; round < stage.rounds; ) {
      const load = new Load({ replicas, token, random, clients: CLIENTS, name: `r${round}` });
      const end = Math.min(stage.rounds, round + ROUNDS_A_CHECK);
      for (; round < end; round += 1) kills += await killSome(stage, replicas);
      all.push(...(await load.stop()));
      await settled(query);
      checkSights(all);
      const rows = await checkLedger({ query, upstream, results: all });
      await checkQuota(lifeOf(replicas[0] as Replica), token, rows);
    }
    const [whole, seen] = [countOf(all, 'whole'), upstream.seen.size];
    return { rounds: stage.rounds, kills, calls: all.length, whole, lost: countOf(all, 'lost', 'cut'), seen };
  },
};

/** Answers how many were killed; all serve again. */
async function killSome({ random }: Stage, replicas: readonly Replica[]): Promise<number> {
  await sleep(random.between(100, 900));
  const victims = replicas.filter(() => random.chance(0.2));
  if (victims.length === 0 || victims.length === replicas.length) victims.splice(0, 3, random.pick(replicas));
  await Promise.all(
    victims.map(async (victim) => {
      await victim.kill();
      await sleep(random.between(0, 400));
      await victim.start();
    }),
  );
  return victims.length;
}
