import { setTimeout as sleep } from 'node:timers/promises';
import { login, lifeOf } from '../client.js';
import { checkLedger, checkQuota, checkSights, countOf, settled } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const CLIENTS = 24;
/** So many rounds are checked together: the dead are dead for some seconds. */
const ROUNDS_A_CHECK = 10;

/** Replicas are killed under load, one or more at a time, and started again. */
export const replicasKilled: Scenario = {
  name: 'replicas killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const { replicas, query } = await environment.replicas(upstream);
    await slowDown(query);
    const token = await login(replicas[0] as Replica);
    const { random } = environment;
    const all = [];
    let kills = 0;
    for (let round = 0; round < environment.rounds;) {
      const load = new Load({ replicas, token, random, clients: CLIENTS, name: `r${round}` });
      const end = Math.min(environment.rounds, round + ROUNDS_A_CHECK);
      for (; round < end; round += 1) kills += await killSome(environment, replicas, load);
      all.push(...(await load.stop()));
      await settled(query);
      checkSights(all);
      const rows = await checkLedger({ query, upstream, results: all });
      await checkQuota(lifeOf(replicas[0] as Replica), token, rows);
    }
    const [whole, seen] = [countOf(all, 'whole'), upstream.seen.size];
    return { rounds: environment.rounds, kills, calls: all.length, whole, lost: countOf(all, 'lost', 'cut'), seen };
  },
};

/**
 * Kills the replica that has just answered: a record that it had not written yet is lost. Sometimes others die with it.
 * Answers how many were killed; all serve again.
 */
async function killSome({ random }: ScenarioEnvironment, replicas: readonly Replica[], load: Load): Promise<number> {
  await sleep(random.between(100, 900));
  const { life } = await load.nextAnswer();
  const victims = replicas.filter((replica) => replica.life === life || random.chance(0.15));
  await Promise.all(
    victims.map(async (victim) => {
      await victim.kill();
      await sleep(random.between(0, 400));
      await victim.start();
    }),
  );
  return victims.length;
}

/** Every flush takes as long as on a slow disk, so that there is always one in which a replica dies. */
async function slowDown(query: Query): Promise<void> {
  await query(`CREATE FUNCTION slow_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(0.01); RETURN NULL; END $$`);
  await query(`CREATE TRIGGER slow_disk AFTER UPDATE ON quota_counters
    FOR EACH STATEMENT EXECUTE FUNCTION slow_disk()`);
}
