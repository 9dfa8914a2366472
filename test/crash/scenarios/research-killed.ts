import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/probes/eventually.js';
import { login } from '../client.js';
import { settled } from '../ledger-check.js';
import { checkCalls, PAGES, SETTINGS, startPeers } from '../research-peers.js';
import { checkRows, compareSessions, ResearchedSessions } from '../researched-sessions.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

/** Two servers on one PostgreSQL do research; whichever has begun the session is killed at some point of it. */
export const researchKilled: Scenario = {
  name: 'research killed',
  isSampled: true,
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const { random, rounds } = environment;
    const { env, model } = await startPeers(environment);
    const { url, query } = await environment.database();
    const shared = { ...env, DATABASE_URL: url, SECRET_KEY, DATA_DIR: join(environment.folder, 'shared') };
    const servers = [environment.replica(shared), environment.replica(shared)] as const;
    await servers[0].start();
    const sessions = new ResearchedSessions(servers, await login(servers[0]), SETTINGS);
    const startedAt = performance.now();
    const undisturbed = await sessions.completed(await sessions.begin());
    const milliseconds = performance.now() - startedAt;
    if (undisturbed.session.report.sentences.length !== PAGES)
      throw new Error('The undisturbed report lacks something.');
    await servers[1].start();
    let interrupted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const id = await sessions.begin();
      await sleep(random.between(0, milliseconds));
      const [row] = await query<{ status: string }>('SELECT status FROM research_sessions WHERE id = $1', [id]);
      if (row?.status !== 'completed') interrupted += 1;
      for (const server of servers) await server.kill();
      for (const server of servers) await server.start();
      compareSessions(undisturbed, await sessions.completed(id));
    }
    await settled(query);
    await checkCalls(query, model);
    // What was written and not kept is deleted when it is known that its process is dead.
    const steps = await eventually('all is as it should be', 60, () => checkRows(query).catch(() => false as const));
    for (const server of servers) await server.stop();
    return { rounds, kills: 2 * rounds, interrupted, steps };
  },
};
