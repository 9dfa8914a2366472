import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { CallResult } from '../client.js';
import { login } from '../client.js';
import { checkLedger, checkQuota, checkSights, countOf } from '../ledger-check.js';
import { Load } from '../load.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const CLIENTS = 12;

/** One server on the embedded database is killed under load and started again over the same folder. */
export const embeddedKilled: Scenario = {
  name: 'embedded database killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const upstream = await environment.upstream();
    const folder = join(environment.folder, 'data');
    const server = environment.replica({ DATA_DIR: folder, OPENAI_BASE_URL: upstream.url });
    await server.start();
    const token = await login(server);
    const { random } = environment;
    const rounds = Math.ceil(environment.rounds / 2);
    const results: CallResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const load = new Load({ replicas: [server], token, random, clients: CLIENTS, name: `r${round}` });
      await sleep(random.between(200, 1_200));
      await load.nextAnswer();
      await server.kill();
      await server.start();
      results.push(...(await load.stop()));
    }
    checkSights(results);
    // The folder belongs to the server alone: its rows are read while it does not run.
    await server.stop();
    const database = await PGlite.create(join(folder, 'postgres'));
    const query: Query = async <R extends object>(sql: string, values?: unknown[]) =>
      (await database.query<R>(sql, values)).rows;
    const rows = await checkLedger({ query, upstream, results }).finally(() => database.close());
    await checkQuota(await server.start(), token, rows);
    return { rounds, kills: rounds, calls: results.length, whole: countOf(results, 'whole'), seen: upstream.seen.size };
  },
};
