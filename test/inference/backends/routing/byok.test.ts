import { afterEach, describe, expect, it } from '@jest/globals';
import { CHAT } from '../../../support/builders/chat-request.js';
import { folderContents } from '../../../support/probes/folder-contents.js';
import { createTestDatabaseFolder } from '../../../support/servers/database.js';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { chunk, completion, event, json, stream, wholeStream } from '../../../support/servers/scripted-backend.js';
import { useGateway } from '../../../support/servers/use-servers.js';

const KEY = 'sk-caller-0123456789';
const HEADERS = { 'x-byok-api-key': KEY, 'x-byok-organization': 'org-caller' };

describe("a caller's own key", () => {
  const gateway = useGateway(() => ({ backends: operatorsBackends(), createDatabase: createTestDatabaseFolder }));

  afterEach(() => gateway.backend.reset());

  it('takes the place of the configured one for that call alone, with its organization', async () => {
    for (let turn = 0; turn < 4; turn += 1) await ask();
    await ask({ model: 'closed' }, {});

    const sent = gateway.backend.requests.map(({ headers }) => [headers.authorization, headers['openai-organization']]);
    expect(sent).toEqual([
      ...Array.from({ length: 4 }, () => [`Bearer ${KEY}`, 'org-caller']),
      ['Bearer sk-operator', 'org-operator'],
    ]);
    for (const { headers } of gateway.backend.requests) expect(headers).not.toHaveProperty('x-byok-api-key');
  });

  it("does not go with the operator's organization", async () => {
    await ask({}, { 'x-byok-api-key': KEY });

    expect(gateway.backend.requests[0]?.headers).not.toHaveProperty('openai-organization');
  });

  it('works on every inference endpoint, and over GraphQL', async () => {
    const post = (path: string, body: object) => gateway.post(path, body, { headers: HEADERS });
    gateway.backend.answer(
      json(200, { choices: [{ text: 'a' }] }),
      json(200, { data: [{ embedding: [1], index: 0 }] }),
    );
    gateway.backend.answer(json(200, { id: 'r', output: [] }), completion('Hi.'));

    await post('/v1/completions', { model: 'scripted', prompt: 'a' });
    await post('/v1/embeddings', { model: 'scripted', input: 'a', encoding_format: 'float' });
    await post('/v1/responses', { model: 'scripted', input: 'a' });
    const query = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }';
    await post('/graphql', { query, variables: { body: CHAT } });

    expect(gateway.backend.requests.map(({ path }) => path)).toEqual([
      '/v1/completions',
      '/v1/embeddings',
      '/v1/responses',
      '/v1/chat/completions',
    ]);
    for (const { headers } of gateway.backend.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('is 409 where no backend of the model takes one', async () => {
    for (const model of ['closed', 'builtin-extractive']) {
      const { status, headers, body } = await ask({ model });

      expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', 'x-byok-api-key']);
      expect(headers.get('x-should-retry')).toBe('false');
    }
    expect(gateway.backend.requests).toEqual([]);
  });

  it('stays with one provider, also where that fails', async () => {
    gateway.backend.answer(json(500, {}));

    const { status } = await ask({ model: 'two' });

    expect(status).toBe(502);
    expect(gateway.backend.requests).toHaveLength(1);
  });

  it.each([401, 402, 403])('is 400 where the upstream refuses it (%d), and no other is asked', async (status) => {
    gateway.backend.answer(json(status, { error: { message: `bad key ${KEY}` } }));

    const { status: answered, body } = await ask();

    expect([answered, body.error.param]).toEqual([400, 'x-byok-api-key']);
    expect(gateway.backend.requests).toHaveLength(1);
  });

  it.each(['short', 'with space in it', 'quote"quote"', 'x'.repeat(513)])('of the form %j is 400', async (key) => {
    const { status, body } = await ask({}, { 'x-byok-api-key': key });

    expect([status, body.error.param]).toEqual([400, 'x-byok-api-key']);
    expect(body.error.message).not.toContain(key);
  });

  it('is never echoed, whatever the upstream says', async () => {
    gateway.backend.answer(
      json(400, { error: { message: `the key ${KEY} may not do this`, param: KEY } }),
      json(404, { error: { message: `no model for ${KEY}` } }),
      completion(`your key is ${KEY}`, { echoed: KEY }),
      stream(...wholeStream(`your key is ${KEY.slice(0, 7)}`), event({ x: KEY })),
      stream(chunk({ content: 'Hel' }), chunk({ content: KEY }), event({ error: { message: `${KEY}!`, code: 400 } })),
    );

    const answers = [await ask(), await ask(), await ask(), await ask({ stream: true }), await ask({ stream: true })];

    expect(answers.map(({ status }) => status)).toEqual([400, 404, 200, 200, 200]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(KEY);
    expect(JSON.stringify(answers[4]?.body)).toContain('*!');
  });

  it('continues a response only with the same key', async () => {
    const respond = (path: string, headers: Record<string, string>) => {
      gateway.backend.answer(json(200, { id: 'r', object: 'response', output: [] }));
      return gateway.post(path, { model: 'scripted', input: 'a' }, { headers });
    };
    const { body: first } = await respond('/v1/responses', HEADERS);
    const path = `/v1/responses/${first.id}/continue`;

    const statuses = [
      (await respond(path, {})).status,
      (await respond(path, { 'x-byok-api-key': 'sk-of-somebody-else' })).status,
      (await respond(path, HEADERS)).status,
    ];

    expect(statuses).toEqual([404, 404, 200]);
  });

  it('is nowhere in the log, the database or the data folder', async () => {
    const { dataSource } = gateway.platform.app.database;
    const tables = await dataSource.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const rows = await Promise.all(
      tables.map(({ tablename }: { tablename: string }) => dataSource.query(`SELECT t::text FROM "${tablename}" t`)),
    );

    expect(gateway.backend.requests).toEqual([]);
    expect(gateway.platform.logLines.length).toBeGreaterThan(0);
    for (const place of [
      JSON.stringify(rows),
      gateway.platform.logLines.join('\n'),
      folderContents(gateway.platform.config.dataDir).toString('latin1'),
    ]) {
      expect(place).not.toContain(KEY);
    }
  });

  function ask(members: object = {}, headers: Record<string, string> = HEADERS): Promise<RestAnswer> {
    return gateway.chat(members, { headers });
  }
});

/** One that takes keys, one that does not, and one of another provider. */
function operatorsBackends(): object[] {
  const common = { api_key: 'sk-operator', headers: { 'OpenAI-Organization': 'org-operator' } };
  return [
    { id: 'takes-1', ...common, models: ['scripted', 'two'], byok: true },
    { id: 'closed', ...common, models: ['scripted', 'closed'] },
    { id: 'other', ...common, models: ['two'], byok: true, provider: 'another', priority: 1 },
  ];
}
