/**
 * Verifies tokens in a process of its own, over an embedded database, and prints what one takes in microseconds.
 * Arguments: `JWT` or `personal access token`, and an empty folder.
 */
import { pino } from 'pino';
import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import type { Authenticator } from '../src/access/caller.js';
import { bearer, callApi, makeApiToken, signIn } from './api.js';
import type { TokenPair } from './api.js';

const TOKENS = 300;
const KNOWN_ROUNDS = 1_000;
const account = { email: 'bench@example.test', password: 'a token of appreciation' };

const [kind, dataDir] = process.argv.slice(2);
const app = await createApp(
  readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_ADMIN_EMAIL: account.email,
    BOOTSTRAP_ADMIN_PASSWORD: account.password,
    SHUTDOWN_SECONDS: '4',
  }),
  pino({ level: 'silent' }),
);
try {
  const origin = await app.listen();
  const tokens = kind === 'JWT' ? await makeJwts(origin) : await makeApiTokens(origin);
  const headers = tokens.map((token) => `Bearer ${token}`);
  const { authenticator } = app.ports;
  const first = await microseconds(headers, 1, authenticator);
  await microseconds(headers, KNOWN_ROUNDS / 10, authenticator);
  const known = await microseconds(headers, KNOWN_ROUNDS, authenticator);
  console.log(JSON.stringify({ first, known }));
} finally {
  await app.close();
}

/** The mean of verifying each header this often, one after another. */
async function microseconds(headers: readonly string[], rounds: number, authenticator: Authenticator): Promise<number> {
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) for (const header of headers) await authenticator.verify(header);
  return ((performance.now() - startedAt) * 1_000) / (rounds * headers.length);
}

/** Of one session: a refresh costs no password. */
async function makeJwts(origin: string): Promise<string[]> {
  let pair = await signIn(origin, account);
  const tokens = [pair.access_token];
  while (tokens.length < TOKENS) {
    const body = { refresh_token: pair.refresh_token };
    pair = await callApi<TokenPair>({ origin, headers: {} }, { method: 'POST', path: '/v1/auth/refresh', body });
    tokens.push(pair.access_token);
  }
  return tokens;
}

async function makeApiTokens(origin: string): Promise<string[]> {
  const { access_token: jwt } = await signIn(origin, account);
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push(await makeApiToken(bearer(origin, jwt)));
  return tokens;
}
