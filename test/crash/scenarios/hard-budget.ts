import { lifeOf, login, makeCall, request } from '../client.js';
import type { CallResult } from '../client.js';
import { eventually } from '../../support/probes/eventually.js';
import { checkLedger, checkQuota, countOf, describeResult, failOn, settled } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const CALLS = 2_000;
/** What a tenant has for each flood of calls. */
const BUDGET = 50;
/** So many calls have reached the model server when a replica is killed. */
const KILL_AFTER = 10;

/** Far more calls than a tenant's budget allows come at once, over all replicas, and one of these is killed meanwhile. */
export const hardBudget: Scenario = {
  name: 'hard budget',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const { replicas, query } = await environment.replicas(upstream);
    const [first] = replicas as [Replica];
    const token = await login(first);
    const all: CallResult[] = [];
    const floods = Math.ceil(environment.rounds / 10);
    for (let flood = 1; flood <= floods; flood += 1) {
      const budget = flood * BUDGET;
      await setBudget(first, token, budget, query);
      const asked = new Map<string, Replica>();
      const calls = Array.from({ length: CALLS }, (_, number) => {
        const replica = environment.random.pick(replicas);
        const pace = { pieces: 2, milliseconds: 200 };
        const call = { mark: `b${flood}-${number}`, stream: environment.random.chance(0.5), pace };
        asked.set(call.mark, replica);
        return makeCall(lifeOf(replica), token, call);
      });
      // One that has calls open at the model server, which die with it.
      const victim = await eventually('the budget is in use', 30, () => {
        if (upstream.seen.size < budget - BUDGET + KILL_AFTER) return undefined;
        return asked.get([...upstream.seen.keys()].at(-1) ?? '');
      });
      await victim.kill();
      all.push(...(await Promise.all(calls)));
      await victim.start();
      await settled(query);
      const rows = await checkLedger({ query, upstream, results: all });
      await checkQuota(lifeOf(first), token, rows);
      failOn(all.filter((result) => !isFine(result)).map(describeResult));
      // So many calls came that every one of the budget was given to some of them.
      if (rows.length !== budget) throw new Error(`The ledger has ${rows.length} calls of ${budget}.`);
      if (upstream.seen.size > budget)
        throw new Error(`The model server saw ${upstream.seen.size} calls of ${budget}.`);
    }
    const [whole, refused] = [countOf(all, 'whole'), countOf(all, 'refused')];
    return { calls: all.length, budget: floods * BUDGET, seen: upstream.seen.size, whole, refused, kills: floods };
  },
};

function isFine({ life, sight, status, reason }: CallResult): boolean {
  const isRefusal = status === 429 && reason?.includes('"reason":"quota_exceeded"') === true;
  return sight === 'whole' || life.killed || (sight === 'refused' && isRefusal);
}

async function setBudget(replica: Replica, token: string, requests: number, query: Query): Promise<void> {
  const [tenant] = await query<{ id: string }>('SELECT id FROM tenants');
  const body = { enforcing: true, requests };
  const answer = await request(lifeOf(replica), 'PUT', `/v1/admin/tenants/${tenant?.id}/quota`, { token, body });
  if (answer.status !== 200) throw new Error(`The budget was not set: ${JSON.stringify(answer.body)}`);
}
