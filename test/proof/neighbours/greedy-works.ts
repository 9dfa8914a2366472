import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/probes/eventually.js';
import { toneWav } from '../../support/servers/speech-server.js';
import { CHAT_MODEL, EARS, EVEN_VOICE, ODD_VOICE, SILENT_MODEL, SLOW_MODEL } from './greedy-models.js';
import type { GreedyClient, Sent } from './greedy-client.js';
import type { GreedyWork } from './greedy-work.js';

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const SENTENCE = 'Nobody wants to hear this sentence up to its very end. ';
const UPLOAD_BYTES = 400 * MEBIBYTE;
const BOUNDARY = 'greedy';

/** All of them: one for each row of the table that a user can fill, and the worst ways known for it. */
export const GREEDY_WORKS: readonly GreedyWork[] = [
  {
    resource: 'Processes that encode speech',
    does: '250 mp3 answers, read slowly',
    copies: 250,
    turn: (client) => speak(client, { model: EVEN_VOICE, response_format: 'mp3' }),
    bounds: { platform_audio_encoders: 8, platform_audio_encoders_waiting: 8 },
    programs: { ffmpeg: 8 },
  },
  {
    resource: 'Event loop',
    does: '40 PCM answers of a voice of 44,100 Hz, read at once',
    copies: 40,
    turn: (client) => speak(client, { model: ODD_VOICE, response_format: 'pcm' }, false),
  },
  {
    resource: 'Scratch disk',
    does: '60 uploads of 400 MiB to transcribe, sent slowly',
    copies: 60,
    turn: (client) =>
      client.sendSlowly(
        '/v1/audio/transcriptions',
        { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': String(UPLOAD_BYTES) },
        uploadPieces(),
      ),
    bounds: { platform_scratch_bytes: 8_192 * MEBIBYTE },
  },
  {
    resource: 'Processes that decode audio',
    does: '80 recordings of two minutes to transcribe',
    copies: 80,
    turn: (client) => post(client, '/v1/audio/transcriptions', transcriptionForm()),
    bounds: {
      platform_scratch_bytes: 8_192 * MEBIBYTE,
      platform_audio_waiting: 51,
      'platform_audio_processes{state="busy"}': 2,
    },
  },
  {
    resource: 'JSON bodies in memory',
    does: '300 chats of 9 MiB, sent slowly',
    copies: 300,
    turn: (client) =>
      client.sendSlowly(
        '/v1/chat/completions',
        { ...JSON_TYPE, 'content-length': String(9 * MEBIBYTE) },
        repeated(Buffer.alloc(200_000, 'x')),
      ),
    bounds: { platform_json_body_bytes: 128 * MEBIBYTE },
  },
  {
    resource: 'Large queries of the database',
    does: '60 series of usage of 90 days by hours',
    copies: 60,
    turn: (client) => get(client, `/v1/usage?interval=hour&group_by=model,area&${lastDays(30)}`),
    bounds: { 'platform_database_long_reads{state="running"}': 2 },
  },
  {
    resource: 'Searches of knowledge bases',
    does: '40 searches of a base of 2 MB',
    copies: 40,
    setUp: makeBase,
    turn: (client, base) =>
      post(client, `/v1/knowledgebases/${base}/query`, { query: 'sentence of the chapter', top_k: 100 }),
    bounds: { 'platform_database_long_reads{state="running"}': 2 },
  },
  {
    resource: 'Checks of sanitizer rules',
    does: '16 trials of 50 patterns on 100,000 characters',
    copies: 16,
    turn: (client) =>
      post(client, '/v1/admin/sanitizer/policies/test', { text: 'a1'.repeat(50_000), rules: hardRules() }),
  },
  {
    resource: 'Memory of texts that are translated',
    does: '40 translations of a MiB of HTML whose model says nothing',
    copies: 40,
    turn: (client) => translate(client, SILENT_MODEL, [hardHtml()]),
    bounds: { platform_translation_text_bytes: 384 * MEBIBYTE },
  },
  {
    resource: 'Texts of a translation',
    does: '20 translations of tags with very many attributes',
    copies: 20,
    turn: (client) => translate(client, CHAT_MODEL, [`<p ${'a b c '.repeat(60_000)}>Good day</p>`]),
    bounds: { platform_translation_text_bytes: 384 * MEBIBYTE },
  },
  {
    resource: 'Sound of `builtin-flite`',
    does: '100 long WAV answers, read slowly',
    copies: 100,
    turn: (client) => speak(client, { model: 'builtin-flite', response_format: 'wav' }),
  },
  {
    resource: 'Processes of `espeak-ng`',
    does: '100 long WAV answers, read slowly',
    copies: 100,
    turn: (client) => speak(client, { model: 'espeak-ng', response_format: 'wav' }),
    programs: { 'espeak-ng': 4 },
  },
  {
    resource: 'Open streams, and files that are made while they are sent',
    does: '500 streams of a model that says nothing',
    copies: 500,
    turn: (client) => post(client, '/v1/chat/completions', chatOf(SILENT_MODEL, { stream: true })),
    bounds: { platform_streams_open: 500 },
  },
  {
    resource: 'Calls that go on without their clients',
    does: '200 calls with a key whose clients leave',
    copies: 200,
    turn: leaveCall,
    bounds: { platform_unattended_calls: 64 },
  },
  {
    resource: 'GraphQL operations',
    does: '40 operations as complex as they may be',
    copies: 40,
    turn: (client) => post(client, '/graphql', { query: `{ ${manyUsers()} }` }),
  },
  {
    resource: 'Verifications of the audit log',
    does: '20 verifications of the own chain',
    copies: 20,
    turn: (client) => get(client, '/v1/admin/audit-logs/verify'),
  },
  {
    resource: 'Analyses and syntheses of sources',
    does: '30 analyses of eight texts of 100,000 characters',
    copies: 30,
    turn: (client) =>
      post(client, '/v1/researcher/analyze', { question: 'What is at the end?', sources: longSources() }),
  },
  {
    resource: 'Processes that read files',
    does: '40 files of a MB for knowledge bases',
    copies: 40,
    setUp: makeBase,
    turn: (client, base) => post(client, `/v1/knowledgebases/${base}/files`, fileForm(MEBIBYTE)),
    bounds: { 'platform_extraction_processes{state="busy"}': 2 },
  },
  {
    resource: 'Hashes of passwords',
    does: '100 sign-ins with wrong passwords',
    copies: 100,
    turn: (client) =>
      post(client, '/v1/auth/login', { email: `${randomUUID()}@example.test`, password: 'wrong password' }),
  },
];

async function post(client: GreedyClient, path: string, body: unknown, more: Partial<Sent> = {}): Promise<number> {
  return (await client.send({ path, body, ...more })).status as number;
}

async function get(client: GreedyClient, path: string): Promise<number> {
  return (await client.send({ method: 'GET', path })).status as number;
}

function speak(client: GreedyClient, members: object, isReadSlowly = true): Promise<number> {
  return post(client, '/v1/audio/speech', { input: SENTENCE.repeat(70), ...members }, { isReadSlowly });
}

function translate(client: GreedyClient, model: string, texts: readonly string[]): Promise<number> {
  const languages = { source_language: 'en', target_language: 'es' };
  return post(client, '/v1/translate/text', { texts, model, format: 'html', ...languages });
}

function chatOf(model: string, members: object = {}): object {
  return { model, messages: [{ role: 'user', content: 'Good day!' }], ...members };
}

/** Asks with a key, and leaves when the call is under way. */
async function leaveCall(client: GreedyClient): Promise<string> {
  const leaving = AbortSignal.any([client.signal, AbortSignal.timeout(1_000)]);
  await fetch(`${client.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...JSON_TYPE, authorization: `Bearer ${client.token}`, 'idempotency-key': randomUUID() },
    body: JSON.stringify(chatOf(SLOW_MODEL)),
    signal: leaving,
  }).catch(() => undefined);
  return 'left';
}

async function makeBase(client: GreedyClient): Promise<string> {
  const made = await client.send({ path: '/v1/knowledgebases', body: { name: 'Greedy' } });
  const path = `/v1/knowledgebases/${made.body.id}/files`;
  await client.send({ path, body: fileForm(2 * MEBIBYTE) });
  await eventually('the base is filled', 240, async () => {
    const { body } = await client.send({ method: 'GET', path });
    return body.data.every(({ status }: { status: string }) => status === 'ready');
  });
  return made.body.id as string;
}

function fileForm(bytes: number): FormData {
  const form = new FormData();
  const lines = Array.from(
    { length: Math.ceil(bytes / 120) },
    (_, line) => `Chapter ${line}. ${SENTENCE}${randomUUID()}\n\n`,
  );
  form.append('file', new Blob([lines.join('').slice(0, bytes)]), 'book.txt');
  return form;
}

function transcriptionForm(): FormData {
  const form = new FormData();
  form.append('model', EARS);
  form.append('file', new Blob([new Uint8Array(RECORDING)]), 'recording.wav');
  return form;
}

const RECORDING = toneWav(120);

function* uploadPieces(): Generator<Uint8Array | string> {
  yield `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`;
  yield* repeated(toneWav(30));
}

function* repeated(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece;
}

function lastDays(days: number): string {
  const to = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
  const from = new Date(to.getTime() - days * 86_400_000);
  return `from=${from.toISOString()}&to=${to.toISOString()}`;
}

function hardRules(): object[] {
  return Array.from({ length: 50 }, (_, rule) => ({
    kind: 'regex',
    action: 'mask',
    pattern: `(?:a[0-9]){2}(?:[a-f][0-9]){${1 + (rule % 5)}}z`,
  }));
}

function hardHtml(): string {
  return `${'<b>one</b> <i title="two">three</i> '.repeat(4_000)}`;
}

function manyUsers(): string {
  return Array.from({ length: 15 }, (_, n) => `u${n}: users(first: 100) { edges { node { id email } } }`).join(' ');
}

function longSources(): object[] {
  return Array.from({ length: 8 }, (_, n) => ({ title: `Source ${n}`, text: SENTENCE.repeat(1_800) }));
}
