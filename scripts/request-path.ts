/**
 * Lists the files of `src/` that one warm request enters, by coverage: `npm run request-path`.
 * The request is a streamed chat completion, on the embedded database, with everything on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { chunk, DONE, startScriptedBackend, stream, usageChunk } from '../test/support/servers/scripted-backend.js';

const SOURCE = resolve(import.meta.dirname, '../src');
/** Requests that are looked at: what not all of them enter is something periodic. */
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'request-path-'));
const backend = await startScriptedBackend();
backend.byDefault = () => stream(chunk({ content: 'Hello.' }), chunk({}, 'stop'), usageChunk(), DONE);
const password = 'a long and winding road';
const config = readConfig({
  DATA_DIR: folder,
  PORT: '0',
  OPENAI_BASE_URL: backend.url,
  BOOTSTRAP_ADMIN_EMAIL: 'admin@example.test',
  BOOTSTRAP_ADMIN_PASSWORD: password,
});
const app = await createApp(config, pino({ level: 'silent' }));
const url = await app.listen();
const session = new Session();
session.connect();

async function post(path: string, body: object, token?: string): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.text();
}

const { access_token: token } = JSON.parse(await post('/v1/auth/login', { email: 'admin@example.test', password }));
const chat = { model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Hello?' }] };
await post('/v1/chat/completions', chat, token);
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
let entered: Set<string> | undefined;
for (let round = 0; round < ROUNDS; round += 1) {
  await session.post('Profiler.takePreciseCoverage');
  await post('/v1/chat/completions', chat, token);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ url: file, functions }) => file.startsWith('file:') && functions.some(isEntered))
    .map(({ url: file }) => relative(SOURCE, fileURLToPath(file)))
    .filter((file) => !file.startsWith('..'));
  const before = entered;
  entered = new Set(before ? files.filter((file) => before.has(file)) : files);
}
for (const file of [...(entered ?? [])].toSorted()) console.log(`src/${file}`);
const ofPlatform = [...(entered ?? [])].filter((file) => file.startsWith('platform/')).length;
console.log(`${(entered?.size ?? 0) - ofPlatform} files, and ${ofPlatform} of platform/`);
await app.close();
await backend.close();
rmSync(folder, { recursive: true });

interface CoveredFunction {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

/** Whether a function ran; the file's own code, which begins with it and has no name, ran when the file was loaded. */
function isEntered({ functionName, ranges: [whole] }: CoveredFunction): boolean {
  if (!whole || (functionName === '' && whole.startOffset === 0)) return false;
  return whole.count > 0;
}
