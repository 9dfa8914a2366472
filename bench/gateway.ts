/**
 * Measures this server against a bare streaming proxy in front of the same scripted upstream, in turn over several
 * rounds, once on the embedded database and once on PostgreSQL; prints the table and writes bench/RESULTS.md.
 * `--quick` is one short round that writes nothing, `--profile` leaves processor profiles of the server in bench/.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAborted, measureRound } from './measure.js';
import type { Figures, Size } from './measure.js';
import { leaveFirstCore, pinned, startNode, startPostgres } from './processes.js';
import type { ServerProcess } from './processes.js';
import { report } from './report.js';
import type { Target } from './load.js';

const FULL: Size = { rounds: 3, loopSeconds: 2, pacedSeconds: 4, streams: [1_000, 100, 1], aborted: 10_000 };
const QUICK: Size = { rounds: 1, loopSeconds: 1, pacedSeconds: 1, streams: [1_000, 100, 1], aborted: 1_000 };

const quick = process.argv.includes('--quick');
const profile = process.argv.includes('--profile');
const size = quick ? QUICK : FULL;
await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
cleanUp.defer(() => rm(folder, { recursive: true }));
// PostgreSQL runs as another user where this runs as root.
await chmod(folder, 0o711);
const credentials = { email: 'bench@localhost', password: randomBytes(16).toString('hex') };

/** One of the servers that are compared. */
interface Contender {
  readonly name: string;
  start(): Promise<ServerProcess>;
  authenticate(server: ServerProcess): Promise<Target>;
  readonly rounds: Figures[];
}

leaveFirstCore();
const upstream = await startNode({
  args: ['bench/upstream.ts'],
  logFile: join(folder, 'upstream.log'),
  underTest: false,
});
cleanUp.defer(() => upstream.stop());
const postgres = await startPostgres(join(folder, 'postgres'));
cleanUp.defer(() => postgres.stop());

const contenders: Contender[] = [
  {
    name: 'bare proxy',
    start: () =>
      startNode({
        args: ['bench/bare-proxy.ts', upstream.origin],
        logFile: join(folder, 'proxy.log'),
        underTest: true,
      }),
    authenticate: async (server) => ({ origin: server.origin, headers: {} }),
    rounds: [],
  },
  gateway('this server, PostgreSQL', { DATABASE_URL: postgres.url, SECRET_KEY: randomBytes(32).toString('hex') }),
  gateway('this server, embedded', { DATA_DIR: join(folder, 'data') }),
];
for (let round = 1; round <= size.rounds; round++) {
  for (const contender of contenders) await runRound(contender, round);
}
const command = `npm run bench${quick ? ' -- --quick' : ''}`;
const text = report(contenders, { command, rounds: size.rounds, pinned });
console.log(`\n${text}`);
if (!quick) await writeFile('bench/RESULTS.md', text);

function gateway(name: string, database: Record<string, string>): Contender {
  const env = {
    ...database,
    PORT: '0',
    OPENAI_BASE_URL: `${upstream.origin}/v1`,
    BUILTIN_BACKEND: 'false',
    BOOTSTRAP_ADMIN_EMAIL: credentials.email,
    BOOTSTRAP_ADMIN_PASSWORD: credentials.password,
    RATE_LIMIT_REQUESTS_PER_MINUTE: '10000000',
  };
  const profiling = profile ? ['--cpu-prof', '--cpu-prof-dir=bench'] : [];
  return {
    name,
    start: () =>
      startNode({
        // As `npm start` does.
        args: [...profiling, '--max-semi-space-size=64', 'dist/main.js'],
        env,
        logFile: join(folder, `${name}.log`),
        underTest: true,
      }),
    authenticate: signIn,
    rounds: [],
  };
}

async function signIn(server: ServerProcess): Promise<Target> {
  const answer = await fetch(`${server.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { origin: server.origin, headers: { authorization: `Bearer ${token}` } };
}

async function runRound(contender: Contender, round: number): Promise<void> {
  const startedAt = performance.now();
  const server = await contender.start();
  try {
    const target = await contender.authenticate(server);
    const figures = await measureRound(target, server, size);
    if (round === size.rounds) Object.assign(figures, await measureAborted(target, server, upstream, size.aborted));
    contender.rounds.push(figures);
  } finally {
    await server.stop();
  }
  console.log(`round ${round}, ${contender.name}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}
