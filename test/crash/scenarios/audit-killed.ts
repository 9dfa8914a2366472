import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../src/platform/ids.js';
import { eventually } from '../../support/probes/eventually.js';
import { lifeOf, login, request } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import type { Query } from '../servers.js';

const WRITER = join(import.meta.dirname, '../audit-writer.ts');
const WRITERS = 3;
const CHAINS = 4;
const ENTRIES_OF_ROUND = 600;
const LONGEST_PAUSE_MS = 1_200;

/** Writers of audit entries and the processes that seal them are killed: nothing is lost, and no chain forks. */
export const auditKilled: Scenario = {
  name: 'audit killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const entries = environment.rounds * ENTRIES_OF_ROUND;
    const { killed, found } = await writeThroughKills(environment, { kills: environment.rounds, entries });
    return { entries: found, killed };
  },
};

/**
 * Lets three processes write entries into four chains while they, and the servers that seal, are killed.
 * @param options how often something is killed, and how many entries each writer has to write
 * @throws Error where an entry is lost, or a chain is not whole
 */
export async function writeThroughKills(
  environment: ScenarioEnvironment,
  { kills, entries }: { readonly kills: number; readonly entries: number },
): Promise<{ readonly killed: number; readonly found: number }> {
  const database = await environment.database();
  const { replicas, query } = await environment.replicas(await environment.upstream(), { count: 2, database });
  await query('CREATE TABLE audit_written (id text PRIMARY KEY)');
  const chains = Array.from({ length: CHAINS }, () => newId('ten'));
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(database.url, `w${index}`, entries, chains));
  environment.onClose(async () => writers.forEach((writer) => writer.kill()));
  let killed = 0;
  for (; killed < kills; killed += 1) {
    await sleep(environment.random.between(100, LONGEST_PAUSE_MS));
    if (environment.random.chance(0.5)) environment.random.pick(writers).kill();
    else await restart(environment.random.pick(replicas));
  }
  await Promise.all(writers.map((writer) => writer.finish()));
  await eventually('all is sealed', 60, async () => {
    const [row] = await query<{ count: number }>('SELECT count(*)::integer AS count FROM audit_records');
    return row?.count === 0;
  });
  const problems = [...(await lost(query)), ...(await forks(query)), ...(await verify(replicas[0] as Replica))];
  await Promise.all(replicas.map((replica) => replica.stop()));
  failOn(problems);
  const [row] = await query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM audit_entries WHERE action = 'load.write'",
  );
  return { killed, found: row?.count ?? 0 };
}

async function restart(replica: Replica): Promise<void> {
  await replica.kill();
  await replica.start();
}

/** A process that writes entries; when it is killed, another one goes on with what is left. */
class Writer {
  private lives = 0;
  private child = this.start();

  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly entries: number,
    private readonly chains: readonly string[],
  ) {}

  /** Kills the process, if it is still at it, and starts the next one. */
  kill(): void {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGKILL');
    this.child = this.start();
  }

  /** Waits until the process is done. */
  async finish(): Promise<void> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    if (this.child.exitCode !== 0) throw new Error(`The writer ${this.name} ended with ${this.child.exitCode}.`);
  }

  private start() {
    this.lives += 1;
    const args = [this.url, `${this.name}.${this.lives}`, String(this.entries), ...this.chains];
    const env = { ...process.env, DATABASE_URL: this.url, SECRET_KEY };
    return spawn(process.execPath, ['--import', 'tsx', WRITER, ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
}

async function lost(query: Query): Promise<string[]> {
  const [row] = await query<{ lost: number; invented: number }>(`
    SELECT (SELECT count(*) FROM audit_written w WHERE NOT EXISTS (
              SELECT FROM audit_entries e WHERE e.target_id = w.id))::integer AS lost,
           (SELECT count(*) FROM audit_entries e WHERE e.action = 'load.write' AND NOT EXISTS (
              SELECT FROM audit_written w WHERE w.id = e.target_id))::integer AS invented`);
  return [
    ...(row?.lost === 0 ? [] : [`${row?.lost} entries are lost`]),
    ...(row?.invented === 0 ? [] : [`${row?.invented} entries tell of what was rolled back`]),
  ];
}

async function forks(query: Query): Promise<string[]> {
  const rows = await query<{ chain: string }>(
    'SELECT chain FROM audit_entries GROUP BY chain HAVING count(*) <> max(sequence) OR count(DISTINCT previous_hash) <> count(*) - 1',
  );
  return rows.map(({ chain }) => `the chain ${chain} has a gap or a fork`);
}

async function verify(replica: Replica): Promise<string[]> {
  const token = await login(replica);
  const { body } = await request(lifeOf(replica), 'GET', '/v1/admin/audit-logs/verify', { token });
  return body.valid === true ? [] : [`the verification says ${JSON.stringify(body)}`];
}
