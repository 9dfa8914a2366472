/**
 * What verifying a token costs, in microseconds: JWTs and personal access tokens, when the server sees them for the
 * first time, which takes a look at the (embedded) database, and when it knows them.
 * `tsx bench/token-verification.ts`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../src/app.js';
import type { App } from '../src/app.js';
import { readConfig } from '../src/config.js';
import type { Authenticator } from '../src/context.js';
import type { Identity } from '../src/identity/domain.js';

const TOKENS = 300;
const CACHED_ROUNDS = 1_000;
const ADMIN = { email: 'bench@example.test', password: 'a token of appreciation' };

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

const dataDir = mkdtempSync(join(tmpdir(), 'bench-tokens-'));
const app = await createApp(
  readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    SHUTDOWN_SECONDS: '4',
  }),
  pino({ level: 'silent' }),
);
try {
  const origin = await app.listen();
  const pairs = await signIns(origin);
  const jwts = pairs.map((pair) => pair.access_token);
  const pats = await makeApiTokens(origin, jwts.at(-1) ?? '');
  await report('JWT', jwts);
  await report('personal access token', pats);
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function report(name: string, tokens: readonly string[]): Promise<void> {
  const authenticator = authenticatorOf(app);
  const headers = tokens.map((token) => `Bearer ${token}`);
  const first = await microseconds(headers, 1, authenticator);
  await microseconds(headers, CACHED_ROUNDS / 10, authenticator);
  const cached = await microseconds(headers, CACHED_ROUNDS, authenticator);
  console.log(`${name}: ${first.toFixed(0)} µs the first time, ${cached.toFixed(2)} µs when known`);
}

/** The mean of verifying each header this often, one after another. */
async function microseconds(headers: readonly string[], rounds: number, authenticator: Authenticator): Promise<number> {
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) for (const header of headers) await authenticator.verify(header);
  return ((performance.now() - startedAt) * 1_000) / (rounds * headers.length);
}

function authenticatorOf({ domains }: App): Authenticator {
  const identity = domains.find((domain) => domain.name === 'identity') as Identity;
  return identity.authenticator;
}

/** Token pairs of one session: a refresh costs no password. */
async function signIns(origin: string): Promise<TokenPair[]> {
  const pairs = [await post<TokenPair>(origin, '/v1/auth/login', ADMIN)];
  while (pairs.length < TOKENS) {
    pairs.push(await post(origin, '/v1/auth/refresh', { refresh_token: pairs.at(-1)?.refresh_token }));
  }
  return pairs;
}

async function makeApiTokens(origin: string, jwt: string): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < TOKENS) {
    const made = await post<{ token: string }>(origin, '/v1/api-tokens', { name: 'bench', scopes: ['*'] }, jwt);
    tokens.push(made.token);
  }
  return tokens;
}

async function post<Answer>(origin: string, path: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
