import { writeFileSync } from 'node:fs';
import { callApi } from '../api.js';
import type { Running } from '../comparison.js';
import { gateway } from '../contenders.js';
import type { Environment } from '../environment.js';
import type { Target } from '../load.js';

/** What the scripted model server takes for a turn of a live session, in milliseconds. */
export const ENGINE_MS = 300;
/** A model that answers at once. */
export const INSTANT = 'instant';
/** A model that answers after ENGINE_MS. */
export const SLOW = 'slow';

/** This server before a model server that transcribes and speaks, beside the builtin engines. */
export async function echoServer(
  environment: Environment,
  database: 'PostgreSQL' | 'embedded',
): Promise<Running & { readonly database: string }> {
  const { origins } = await environment.upstream();
  const file = environment.path('speech.json');
  const entries = [
    { id: INSTANT, base_url: `${origins[1]}/v1`, models: [INSTANT], supports: ['transcribe', 'speech'] },
    { id: SLOW, base_url: `${origins[2]}/after-${ENGINE_MS}/v1`, models: [SLOW], supports: ['transcribe'] },
  ];
  writeFileSync(file, JSON.stringify({ backends: entries.map((entry) => ({ kind: 'openai', ...entry })) }));
  const place = await environment.dataPlace(database);
  const settings = {
    BACKENDS_FILE: file,
    BUILTIN_BACKEND: 'true',
    // With PostgreSQL, files need a folder, too.
    DATA_DIR: environment.path('data'),
    ...place.settings,
  };
  const running = await gateway(environment, 'this server', {
    database: 'embedded',
    onAllCores: true,
    settings,
  }).start();
  const stop = async () => {
    await running.stop();
    await place.remove();
  };
  return { ...running, stop, database: place.settings.DATABASE_URL ?? '' };
}

/** Makes a recording. @returns its id */
export async function makeRecording(target: Target, body: object): Promise<string> {
  const call = { method: 'POST', path: '/v1/echo/recordings', body: { title: 'Bench', ...body } } as const;
  return (await callApi<{ id: string }>(target, call)).id;
}

/** Sends audio of a recording. @param range the header Content-Range; undefined: it is all */
export async function sendAudio(
  { origin, headers }: Target,
  id: string,
  body: ReadableStream | Uint8Array,
  range?: string,
): Promise<void> {
  const all = { ...headers, 'content-type': 'audio/wav', ...(range !== undefined && { 'content-range': range }) };
  const url = `${origin}/v1/echo/recordings/${id}/audio`;
  const answer = await fetch(url, { method: 'PUT', headers: all, body, duplex: 'half' } as RequestInit);
  if (answer.status !== 202) throw new Error(`Audio was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
