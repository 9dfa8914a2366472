import { lifeOf, login, makeCall } from '../client.js';
import type { CallResult } from '../client.js';
import { eventually } from '../../support/probes/eventually.js';
import {
  checkLedger,
  checkOutageSights,
  checkQuota,
  countOf,
  describeResult,
  failOn,
  settled,
} from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Upstream } from '../upstream.js';

/** Calls that are open on the replica when it is paused; half of them are streams. */
const OPEN_CALLS = 40;

/** A replica sleeps longer than its lease while it has calls open, and goes on with them as if nothing had been. */
export const replicaPaused: Scenario = {
  name: 'replica paused',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const { replicas, query } = await environment.replicas(upstream);
    const [first, , sleeper] = replicas as [Replica, Replica, Replica];
    const token = await login(first);
    const all: CallResult[] = [];
    const pauses = Math.ceil(environment.rounds / 10);
    for (let round = 0; round < pauses; round += 1) {
      const held = holdCalls(sleeper, token, round);
      const marks = held.map(({ mark }) => mark);
      await eventually('the model server has the calls', 20, () => marks.every((mark) => upstream.seen.has(mark)));
      // Clients call the sleeper too: it falls asleep in the middle of whatever they ask for.
      const load = { token, random: environment.random, clients: 12 };
      const loads = [
        new Load({ ...load, replicas: replicas.slice(0, 2), name: `l${round}` }),
        new Load({ ...load, replicas: [sleeper], name: `s${round}` }),
      ];
      await eventually('the clients call', 20, () => loads.every(({ results }) => results.length > 50));
      sleeper.pause();
      await eventually('the others settle its calls', 30, async () => {
        const sql = `SELECT FROM calls WHERE state = 'estimated' AND request_id = ANY ($1)`;
        return (await query(sql, [marks])).length === OPEN_CALLS;
      });
      await answer(upstream, round, sleeper, marks);
      const results = await Promise.all(held.map(({ result }) => result));
      const missed = results.filter(({ sight }) => sight !== 'whole');
      failOn(missed.map(describeResult));
      all.push(...results, ...(await Promise.all(loads.map((clients) => clients.stop()))).flat());
    }
    // What came late into the ledger while it slept is refused, and nothing else goes wrong.
    checkOutageSights(all);
    await settled(query);
    const rows = await checkLedger({ query, upstream, results: all });
    await checkQuota(lifeOf(sleeper), token, rows);
    return { pauses, calls: all.length, corrected: pauses * OPEN_CALLS, refused: countOf(all, 'refused', 'cut') };
  },
};

/** Half of the calls are answered while the replica sleeps, half when it is awake again. */
function holdCalls(replica: Replica, token: string, round: number): { mark: string; result: Promise<CallResult> }[] {
  return Array.from({ length: OPEN_CALLS }, (_, number) => {
    const mark = `p${round}-${number}`;
    const gate = number < OPEN_CALLS / 2 ? `asleep${round}` : `awake${round}`;
    const pace = { pieces: 3, milliseconds: 5, gate };
    return { mark, result: makeCall(lifeOf(replica), token, { mark, stream: number % 2 === 0, pace }) };
  });
}

async function answer(upstream: Upstream, round: number, sleeper: Replica, marks: readonly string[]): Promise<void> {
  upstream.openGate(`asleep${round}`);
  const asleep = marks.slice(0, OPEN_CALLS / 2);
  await eventually('the answers wait for the sleeper', 20, () =>
    asleep.every((mark) => upstream.seen.get(mark)?.whole),
  );
  sleeper.resume();
  upstream.openGate(`awake${round}`);
}
