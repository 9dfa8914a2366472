import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/probes/eventually.js';
import { login } from '../client.js';
import { settled } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import { checkCalls, SETTINGS, startPeers } from '../research-peers.js';
import { checkRows, compareSessions, ResearchedSessions } from '../researched-sessions.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

/** How many sessions are begun for each that is to be taken over. */
const MOST_TRIES = 5;

/** Two servers with one Redis do research; the one that does a session is killed, and the other one goes on with it. */
export const researchTakenOver: Scenario = {
  name: 'research taken over',
  isSampled: true,
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const { random } = environment;
    // Each waits some half a minute until the other server may take the job.
    const rounds = Math.ceil(environment.rounds / 5);
    const { env, model } = await startPeers(environment);
    const [{ url, query }, redis] = await Promise.all([environment.database(), environment.redis()]);
    const place = { DATABASE_URL: url, REDIS_URL: redis.url, SECRET_KEY, DATA_DIR: join(environment.folder, 'shared') };
    const servers = [environment.replica({ ...env, ...place }), environment.replica({ ...env, ...place })] as const;
    const processes = new KnownProcesses(query);
    for (const server of servers) await processes.start(server);
    const sessions = new ResearchedSessions(servers, await login(servers[0]), SETTINGS);
    const startedAt = performance.now();
    const undisturbed = await sessions.completed(await sessions.begin());
    const milliseconds = performance.now() - startedAt;
    let takenOver = 0;
    // A session that was over before its moment has shown nothing.
    for (let tries = 0; takenOver < rounds && tries < MOST_TRIES * rounds; tries += 1) {
      const id = await sessions.begin();
      await sleep(random.between(0, milliseconds));
      const doing = await processes.doing();
      await doing?.kill();
      compareSessions(undisturbed, await sessions.completed(id));
      if (!doing) continue;
      takenOver += 1;
      await processes.start(doing);
    }
    if (takenOver < rounds) throw new Error(`Only ${takenOver} sessions were taken over.`);
    await settled(query);
    await checkCalls(query, model);
    // What was written and not kept is deleted when it is known that its process is dead.
    const steps = await eventually('all is as it should be', 60, () => checkRows(query).catch(() => false as const));
    for (const server of servers) await server.stop();
    return { rounds, takenOver, steps };
  },
};

/** Which server a process is, as the database names it. */
class KnownProcesses {
  private readonly servers = new Map<string, Replica>();

  constructor(private readonly query: Query) {}

  async start(server: Replica): Promise<void> {
    await server.start();
    const rows = await this.query<{ id: string }>('SELECT id FROM processes');
    for (const { id } of rows) if (!this.servers.has(id)) this.servers.set(id, server);
  }

  /** The server that does a session now; undefined: none does. */
  async doing(): Promise<Replica | undefined> {
    const [lease] = await this.query<{ id: string }>(
      "SELECT process_id AS id FROM job_leases WHERE kind = 'researcher.session'",
    );
    return lease && this.servers.get(lease.id);
  }
}
