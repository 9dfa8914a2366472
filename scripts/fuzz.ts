/**
 * Fuzzes a server of its own: `npm run fuzz -- --requests 100000 --rounds 20`. First come requests made from the
 * description of the REST operations; a failure tells the seed and the path that lead to it again
 * (`--seed 1 --path 2:3`). Then come rounds of attacks, one of each kind, on GraphQL, its sockets and the port; all that
 * was wrong is told, each with what plays it alone (`--seed 1 --only 'graphql: aliases' --round 2`).
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { createLog } from '../src/platform/telemetry/log.js';
import { EventLoopGuard } from '../test/proof/probes/event-loop-guard.js';
import { attack, reportOf } from '../test/support/fuzz/attacks.js';
import { GRAPHQL_ATTACKS } from '../test/support/fuzz/graphql.js';
import { RAW_ATTACKS } from '../test/support/fuzz/raw-bytes.js';
import { SOCKET_ATTACKS } from '../test/support/fuzz/sockets.js';
import { fuzz } from '../test/support/fuzz/fuzz.js';

const KINDS = [...GRAPHQL_ATTACKS, ...SOCKET_ATTACKS, ...RAW_ATTACKS];

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string' },
    path: { type: 'string' },
    only: { type: 'string' },
    round: { type: 'string' },
  },
});
const requests = values.only === undefined ? Number(values.requests) : 0;
const rounds = values.path === undefined ? Number(values.rounds) : 0;
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const account = { email: 'admin@example.test', password: randomBytes(18).toString('base64url') };
const secret = randomBytes(24).toString('base64url');
const dataDir = mkdtempSync(join(tmpdir(), 'fuzz-'));
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  RATE_LIMIT_REQUESTS_PER_MINUTE: '0',
  SHUTDOWN_SECONDS: '4',
  BOOTSTRAP_ADMIN_EMAIL: account.email,
  BOOTSTRAP_ADMIN_PASSWORD: account.password,
  SERVICE_KEYS: `key_fuzz:${createHash('sha256').update(secret).digest('hex')}`,
});
const errorLines: string[] = [];
const app = await createApp(config, createLog('error', { write: (line: string) => void errorLines.push(line) }));
try {
  const url = await app.listen();
  const token = await signIn(url);
  console.log(`seed ${seed}`);
  if (requests > 0) await fuzzOperations(url, token);
  if (rounds > 0) await playAttacks(url, token);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function fuzzOperations(url: string, token: string): Promise<void> {
  const startedAt = performance.now();
  const guard = await EventLoopGuard.start(url);
  const sent = await fuzz({
    url,
    document: app.openapi(),
    credentials: { token, serviceKey: `key_fuzz.${secret}` },
    requests,
    seed,
    path: values.path,
    guard,
  });
  guard.close();
  console.log(`Every answer to ${sent} requests was as described, in ${secondsSince(startedAt)} s.`);
}

async function playAttacks(url: string, token: string): Promise<void> {
  const startedAt = performance.now();
  const kinds = KINDS.filter(({ name }) => name.includes(values.only ?? ''));
  const onlyRound = values.round === undefined ? undefined : Number(values.round);
  const guard = await EventLoopGuard.start(url);
  const options = { url, token, kinds, rounds, seed, onlyRound, guard };
  const findings = await attack({ ...options, errorLines: () => errorLines });
  guard.close();
  if (findings.length > 0) throw new Error(reportOf(findings, seed));
  console.log(`The server stood attacks of ${kinds.length} kinds, in ${secondsSince(startedAt)} s.`);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(account) });
  return ((await response.json()) as { access_token: string }).access_token;
}
