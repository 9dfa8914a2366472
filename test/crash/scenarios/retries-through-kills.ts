import { setTimeout as sleep } from 'node:timers/promises';
import { login, makeCall } from '../client.js';
import type { CallResult } from '../client.js';
import { failOn, settled } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';
import type { Upstream } from '../upstream.js';

const CLIENTS = 16;
/** Longer than it takes until the claims of a dead process are free again. */
const LONGEST_MS = 60_000;
const REPEATABLE = new Set(['idempotency_in_progress', 'unavailable', 'bad_upstream']);

/** What became of a request that was sent until it was answered. */
interface Outcome {
  readonly mark: string;
  readonly attempts: number;
  /** Undefined: it was answered, and the answer is lost with the process that had it. */
  readonly answer: string | undefined;
}

/** Replicas are killed while clients send each request again with its Idempotency-Key until it is answered. */
export const retriesThroughKills: Scenario = {
  name: 'retries through kills',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const redis = await environment.redis();
    const { replicas, query } = await environment.replicas(upstream, { env: { REDIS_URL: redis.url } });
    const token = await login(replicas[0] as Replica);
    const clients = new RetryingClients(environment, replicas, token);
    let kills = 0;
    for (let round = 0; round < environment.rounds; round += 1) {
      await sleep(environment.random.between(100, 900));
      const victim = environment.random.pick(replicas);
      await victim.kill();
      kills += 1;
      await sleep(environment.random.between(0, 400));
      await victim.start();
    }
    const outcomes = await clients.stop();
    await settled(query);
    await checkPaidOnce(query, upstream, outcomes);
    const attempts = outcomes.reduce((sum, outcome) => sum + outcome.attempts, 0);
    const gone = outcomes.filter(({ answer }) => answer === undefined).length;
    return { kills, requests: outcomes.length, attempts, 'answers gone with their process': gone };
  },
};

class RetryingClients {
  private readonly outcomes: Outcome[] = [];
  private stopping = false;
  private number = 0;
  private readonly work: Promise<void>[];

  constructor(
    private readonly environment: ScenarioEnvironment,
    private readonly replicas: readonly Replica[],
    private readonly token: string,
  ) {
    this.work = Array.from({ length: CLIENTS }, () => this.runClient());
    // Told by `stop`.
    for (const client of this.work) client.catch(() => undefined);
  }

  async stop(): Promise<readonly Outcome[]> {
    this.stopping = true;
    await Promise.all(this.work);
    return this.outcomes;
  }

  private async runClient(): Promise<void> {
    while (!this.stopping) {
      this.number += 1;
      this.outcomes.push(await this.insist(`retried-${this.number}`));
    }
  }

  /** Sends a request until it is answered, and once more: its answer is told again, or cannot be. */
  private async insist(mark: string): Promise<Outcome> {
    const { random } = this.environment;
    const stream = random.chance(0.5);
    const pace = { pieces: random.between(1, 6), milliseconds: random.between(0, 40) };
    const endsAt = performance.now() + LONGEST_MS;
    let first: string | undefined;
    for (let attempts = 1; performance.now() < endsAt; attempts += 1) {
      const { life } = random.pick(this.replicas);
      const call = { mark, stream, pace, requestId: `${mark}.${attempts}`, idempotencyKey: `a key of ${mark}` };
      const result = life && (await makeCall(life, this.token, call));
      if (result?.sight === 'whole') {
        if (first !== undefined && result.answer !== first) throw new Error(`${mark} was answered in two ways.`);
        if (first !== undefined) return { mark, attempts, answer: first };
        first = result.answer;
      } else if (result && codeOf(result) === 'idempotency_not_replayable') {
        return { mark, attempts, answer: first };
      } else {
        if (result?.sight === 'refused' && !REPEATABLE.has(codeOf(result) ?? '')) throw new Error(result.reason);
        await sleep(random.between(10, 100));
      }
    }
    throw new Error(`${mark} was not answered in time.`);
  }
}

function codeOf({ sight, reason = '{}' }: CallResult): string | undefined {
  return sight === 'refused' ? JSON.parse(reason).error?.code : undefined;
}

/** No request was completed twice, and what was answered was completed. */
async function checkPaidOnce(query: Query, upstream: Upstream, outcomes: readonly Outcome[]): Promise<void> {
  const rows = await query<{ mark: string; calls: number; completed: number }>(
    `SELECT split_part(request_id, '.', 1) AS mark, count(*)::integer AS calls,
            (count(*) FILTER (WHERE outcome = 'completed' AND state = 'exact'))::integer AS completed
     FROM calls GROUP BY 1`,
  );
  const byMark = new Map(rows.map((row) => [row.mark, row]));
  const problems = outcomes.flatMap(({ mark, answer }) => {
    const { calls, completed } = byMark.get(mark) ?? { calls: 0, completed: 0 };
    const times = upstream.seen.get(mark)?.times ?? 0;
    return [
      ...(completed > 1 ? [`${mark} was completed ${completed} times`] : []),
      ...(completed === 0
        ? [`${mark} was ${answer === undefined ? 'refused for good' : 'answered'} and not completed`]
        : []),
      ...(times > calls ? [`${mark} came to the model server ${times} times and has ${calls} rows`] : []),
    ];
  });
  failOn(problems);
}
