import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FormData } from 'undici';
import { eventually } from '../support/probes/eventually.js';
import { onPostgres } from '../support/servers/services.js';
import { NginxPlatform } from './nginx-platform.js';

onPostgres.describe('the processes and the nginx of docs/operations.md', () => {
  let [platform, token]: [NginxPlatform, string] = [] as never;
  beforeAll(start, 120_000);
  afterAll(() => platform.close());

  it('serve every path to whoever may ask', async () => {
    const endpoints = JSON.parse(readFileSync('test/fixtures/endpoints.json', 'utf8')) as Listed[];

    const refused = await Promise.all(
      endpoints
        .filter((endpoint) => endpoint.class !== 'public')
        .map(async ({ method, path }) => (await platform.request(method, path.replaceAll(/[{}]/g, ''))).status),
    );

    expect(refused.filter((status) => status !== 401)).toEqual([]);
  });

  it('pass a name with a slash on as it was sent', async () => {
    const { status, text } = await platform.request('GET', '/v1/models/meta%2Fllama?x=/v1/quota', { token });

    expect([status, JSON.parse(text).error.code]).toEqual([404, 'model_not_found']);
  });

  it('answer in one process what was signed in to another, over HTTPS', async () => {
    const paths = ['/v1/auth/me', '/v1/quota', '/v1/knowledgebases', '/v1/echo/voices', '/v1/admin/jobs'];

    const answers = await Promise.all(paths.map((path) => platform.request('GET', path, { token })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[0]?.headers.get('strict-transport-security')).not.toBeNull();
  });

  it('stream answers', async () => {
    const body = {
      model: 'builtin-extractive',
      stream: true,
      messages: [{ role: 'user', content: 'Lunch is at noon.' }],
    };

    const { status, text } = await platform.request('POST', '/v1/chat/completions', { token, body });

    expect(status).toBe(200);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('take files that are larger than what nginx takes by itself', async () => {
    const body = { name: 'Handbook' };
    const made = await platform.request('POST', '/v1/knowledgebases', { token, body });
    const { id } = JSON.parse(made.text) as { id: string };
    const form = new FormData();
    form.set('file', new Blob(['Lunch is at noon. '.repeat(150_000)], { type: 'text/plain' }), 'lunch.txt');

    const { status } = await platform.request('POST', `/v1/knowledgebases/${id}/files`, { token, form });

    expect(status).toBe(202);
  });

  it.each(['/v1/realtime?intent=transcription', '/graphql'])('open web sockets at %s', async (path) => {
    const socket = platform.socket(path, token);

    await eventually('the socket is open', 10, async () => socket.readyState === socket.OPEN);
    socket.close();
  });

  async function start(): Promise<void> {
    platform = await NginxPlatform.start();
    token = await platform.login();
  }
});

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly class: string;
}
