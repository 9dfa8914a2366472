/**
 * Fuzzes a server of its own: `npm run fuzz -- --requests 100000`. A failure tells the seed and the path that lead to it
 * again: `npm run fuzz -- --seed 1 --path 2:3`.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { fuzz } from '../test/support/fuzz.js';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '5000' }, seed: { type: 'string' }, path: { type: 'string' } },
});
const requests = Number(values.requests);
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
const app = await createApp(config, pino({ level: 'error' }, pino.destination(2)));
try {
  const url = await app.listen();
  console.log(`${requests} requests with seed ${seed}`);
  const token = await signIn(url);
  const started = performance.now();
  const sent = await fuzz({
    url,
    document: app.openapi(),
    credentials: { token, serviceKey: `key_fuzz.${secret}` },
    requests,
    seed,
    path: values.path,
  });
  console.log(
    `Every answer to ${sent} requests was as described, in ${Math.round((performance.now() - started) / 1_000)} s.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(account) });
  return ((await response.json()) as { access_token: string }).access_token;
}
