import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf, login, makeCall } from '../client.js';
import type { CallResult } from '../client.js';
import { eventually } from '../../support/probes/eventually.js';
import { checkLedger, checkOutageSights, checkQuota, countOf, settled, slowestRefusal } from '../ledger-check.js';
import { Load } from '../load.js';
import { hasEnded } from '../replica.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

const OPEN_CALLS = 30;
/** Longer than a lease. */
const LONG_OUTAGE_MS = 8_000;

/** PostgreSQL stops under load, at once or in good order, for a moment or for longer than every lease, and comes back. */
export const databaseStopped: Scenario = {
  name: 'PostgreSQL stopped',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const { replicas, query } = await environment.replicas(upstream);
    const { random, postgres } = environment;
    const token = await login(replicas[0] as Replica);
    const all: CallResult[] = [];
    const outages = Math.max(2, Math.ceil(environment.rounds / 5));
    for (let outage = 0; outage < outages; outage += 1) {
      const held = Array.from({ length: OPEN_CALLS }, (_, number) => {
        const pace = { pieces: 2, milliseconds: 5, gate: `outage${outage}` };
        const call = { mark: `h${outage}-${number}`, stream: number % 2 === 0, pace };
        return makeCall(lifeOf(random.pick(replicas)), token, call);
      });
      await eventually('the model server has the calls', 20, () => upstream.seen.has(`h${outage}-${OPEN_CALLS - 1}`));
      const load = new Load({ replicas, token, random, clients: 16, name: `l${outage}` });
      await eventually('the clients call', 20, () => load.results.length > 50);
      const lives = replicas.map(lifeOf);
      await postgres.stop(outage % 2 === 0 ? 'immediate' : 'fast');
      upstream.openGate(`outage${outage}`);
      await sleep(outage % 3 === 0 ? LONG_OUTAGE_MS : random.between(0, 1_500));
      // From the third outage on a replica dies in it.
      const victim = outage >= 2 ? random.pick(replicas) : undefined;
      await victim?.kill();
      await postgres.startAgain();
      await victim?.start();
      await Promise.all(replicas.map((replica, number) => untilAnswering(replica, token, `a${outage}-${number}`, all)));
      all.push(...(await Promise.all(held)), ...(await load.stop()));
      if (lives.some(({ child, killed }) => hasEnded(child) && !killed)) throw new Error('A server has ended.');
    }
    checkOutageSights(all);
    await settled(query);
    const rows = await checkLedger({ query, upstream, results: all });
    for (const replica of replicas) await checkQuota(lifeOf(replica), token, rows);
    const [whole, refused] = [countOf(all, 'whole'), countOf(all, 'refused')];
    return { outages, calls: all.length, whole, refused, 'ms the slowest refusal': slowestRefusal(all) };
  },
};

async function untilAnswering(replica: Replica, token: string, name: string, all: CallResult[]): Promise<void> {
  let tries = 0;
  await eventually(`${replica.name} answers again`, 30, async () => {
    const pace = { pieces: 1, milliseconds: 0 };
    const result = await makeCall(lifeOf(replica), token, { mark: `${name}-${(tries += 1)}`, stream: false, pace });
    all.push(result);
    return result.sight === 'whole';
  });
}
