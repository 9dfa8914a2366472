import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lifeOf, login, request } from '../client.js';
import type { Answer } from '../client.js';
import { eventually } from '../../support/probes/eventually.js';
import { checkLedger, checkQuota, checkSights, countOf, settled } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import { MODEL } from '../upstream.js';

/** Redis stops under load: calls go on, what needs it is refused, and it is used again when it is back. */
export const redisStopped: Scenario = {
  name: 'Redis stopped',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const redis = await environment.redis();
    const file = join(environment.folder, 'backends.json');
    // A server that keeps no responses: what they are continued from is in Redis.
    const backend = { id: 'scripted', kind: 'openai', base_url: upstream.url, supports: ['chat'], models: [MODEL] };
    await writeFile(file, JSON.stringify({ backends: [backend] }));
    // A limit that nobody reaches: it is counted in Redis all the same.
    const limit = { RATE_LIMIT_REQUESTS_PER_MINUTE: '1000000' };
    const env = { REDIS_URL: redis.url, BACKENDS_FILE: file, OPENAI_BASE_URL: '', ...limit };
    const { replicas, query } = await environment.replicas(upstream, { env, count: 2 });
    const [one, other] = replicas as [Replica, Replica];
    const token = await login(one);
    const { random } = environment;
    const outages = Math.ceil(environment.rounds / 10);
    const results = [];
    const respond = (replica: Replica, mark: string, id?: string): Promise<Answer> =>
      request(lifeOf(replica), 'POST', id === undefined ? '/v1/responses' : `/v1/responses/${id}/continue`, {
        token,
        mark,
        body: { model: MODEL, input: mark },
      });
    for (let outage = 0; outage < outages; outage += 1) {
      const say = (text: string) => `${text}-${outage}`;
      const load = new Load({ replicas, token, random, clients: 12, name: say('l') });
      const first = await eventually('responses are stored', 20, () => respond(one, say('first')));
      expectStatus(first, 200);
      expectStatus(await respond(other, say('second'), first.body.id), 200);

      await redis.stop();
      const without = await respond(one, say('without'));
      expectStatus(without, 200);
      for (const replica of replicas) expectStatus(await respond(replica, say('refused'), first.body.id), 503);
      await checkLogout(one, other);
      await eventually('clients call without Redis', 20, () => load.results.length > 200);

      await redis.startAgain();
      let tries = 0;
      await eventually('responses are continued again', 30, async () => {
        tries += 1;
        const { status, body } = await respond(one, say(`again${tries}`));
        return status === 200 && (await respond(other, say(`on${tries}`), body.id)).status === 200;
      });
      results.push(...(await load.stop()));
    }
    checkSights(results);
    await settled(query);
    const rows = await checkLedger({ query, upstream, results });
    await checkQuota(lifeOf(other), token, rows);
    return { outages, calls: results.length, whole: countOf(results, 'whole') };
  },
};

/** A session that ends on one replica ends on the other, without Redis too. */
async function checkLogout(one: Replica, other: Replica): Promise<void> {
  const token = await login(one);
  const use = () => request(lifeOf(other), 'GET', '/v1/auth/me', { token });
  expectStatus(await use(), 200);
  expectStatus(await request(lifeOf(one), 'POST', '/v1/auth/logout', { body: { access_token: token } }), 200);
  await eventually('the session has ended on the other replica', 10, async () => (await use()).status === 401);
}

function expectStatus({ status, body }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`);
}
