import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf, login, makeCall } from '../client.js';
import type { CallResult } from '../client.js';
import { eventually } from '../eventually.js';
import { checkLedger, checkQuota, countOf, failOn, settled } from '../ledger-check.js';
import { Load } from '../load.js';
import { hasEnded } from '../replica.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, Stage } from '../scenario.js';

const OPEN_CALLS = 30;
/** A record is waited for 5 s; the rest is for a machine that is busy. */
const LONGEST_REFUSAL_MS = 10_000;
/** Longer than a lease. */
const LONG_OUTAGE_MS = 8_000;

/** PostgreSQL stops under load, at once or in good order, for a moment or for longer than every lease, and comes back. */
export const databaseStopped: Scenario = {
  name: 'PostgreSQL stopped',
  async run(stage: Stage): Promise<Figures> {
    const upstream = await stage.upstream();
    const { replicas, query } = await stage.replicas(upstream);
    const lives = replicas.map(lifeOf);
    const token = await login(replicas[0] as Replica);
    const all: CallResult[] = [];
    const outages = Math.max(2, Math.ceil(stage.rounds / 5));
    for (let outage = 0; outage < outages; outage += 1) {
      const held = Array.from({ length: OPEN_CALLS }, (_, number) => {
        const pace = { pieces: 2, milliseconds: 5, gate: `outage${outage}` };
        const call = { mark: `h${outage}-${number}`, stream: number % 2 === 0, pace };
        return makeCall(lifeOf(stage.random.pick(replicas)), token, call);
      });
      await eventually('the model server has the calls', 20, () => upstream.seen.has(`h${outage}-${OPEN_CALLS - 1}`));
      const load = new Load({ replicas, token, random: stage.random, clients: 16, name: `l${outage}` });
      await eventually('the clients call', 20, () => load.results.length > 50);
      await stage.postgres.stop(outage % 2 === 0 ? 'immediate' : 'fast');
      upstream.openGate(`outage${outage}`);
      await sleep(outage % 3 === 0 ? LONG_OUTAGE_MS : stage.random.between(0, 1_500));
      await stage.postgres.startAgain();
      await Promise.all(replicas.map((replica, number) => untilAnswering(replica, token, `a${outage}-${number}`, all)));
      all.push(...(await Promise.all(held)), ...(await load.stop()));
    }
    failOn(all.flatMap(problemsOf));
    if (lives.some(({ child }) => hasEnded(child))) throw new Error('A server has ended.');
    await settled(query);
    const rows = await checkLedger({ query, upstream, results: all });
    for (const replica of replicas) await checkQuota(lifeOf(replica), token, rows);
    const refused = all.filter(({ sight }) => sight === 'refused');
    const slowest = Math.max(0, ...refused.map(({ milliseconds }) => Math.round(milliseconds)));
    return {
      outages,
      calls: all.length,
      whole: countOf(all, 'whole'),
      refused: refused.length,
      'ms the slowest': slowest,
    };
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

/** While the database is away calls are refused, and streams end in an error; in bounded time. */
function problemsOf({ call, sight, status, reason, milliseconds }: CallResult): string[] {
  const said = `${call.mark} was ${sight} (${status ?? '-'}) after ${Math.round(milliseconds)} ms: ${reason}`;
  if (sight === 'whole' || sight === 'left') return [];
  if (sight === 'lost' || !reason?.includes('"unavailable"')) return [said];
  if (sight === 'refused' && (status !== 503 || milliseconds > LONGEST_REFUSAL_MS)) return [said];
  return [];
}
