import { afterEach, describe, expect, it } from '@jest/globals';
import { secretsOf } from '../../../../src/inference/backends/configured-secrets.js';
import { chunk, completion, event, json, stream, wholeStream } from '../../../support/servers/scripted-backend.js';
import { useGateway } from '../../../support/servers/use-servers.js';

const KEY = 'sk-operator-9f8e7d';
const TOKEN = 'gateway-token-5a6b7c';
const CONFIGURED = { api_key: KEY, headers: { 'x-gateway-token': TOKEN, 'x-team': 'research' } };
const SAID = `key ${KEY}, token ${TOKEN}`;

describe("an operator's secrets", () => {
  const supports = ['chat', 'completions', 'responses', 'embeddings', 'rerank', 'transcribe'];
  const gateway = useGateway({ backends: [{ ...CONFIGURED, supports }] });

  afterEach(() => gateway.backend.reset());

  it.each([400, 404, 409, 413, 422, 500, 501])('are masked in an error of status %d', async (status) => {
    gateway.backend.answer(json(status, { error: { message: `Refused: ${SAID}.`, param: KEY } }));

    const { body } = await gateway.chat();

    expect(body.error.message).toMatch(/^Refused: key \*+, token \*+\.$/);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('are masked in every form of error, and however JSON writes them', async () => {
    const escaped = JSON.stringify({ detail: [{ loc: ['body', KEY], msg: SAID }] }).replaceAll(
      'sk-',
      '\\u0073k\\u002D',
    );
    gateway.backend.answer(
      { status: 422, pieces: [escaped] },
      json(400, { error: SAID }),
      json(400, { message: SAID }),
    );

    const answers = [await gateway.chat(), await gateway.chat(), await gateway.chat()];

    expect(answers.map(({ status }) => status)).toEqual([422, 400, 400]);
    for (const { body } of answers) expectNoSecret(body);
  });

  it('are masked in whole answers and in streams, also where they are cut in two', async () => {
    const [before, behind] = [chunk({ content: SAID }).slice(0, 150), chunk({ content: SAID }).slice(150)];
    gateway.backend.answer(
      completion(SAID, { echoed: { [KEY]: TOKEN } }),
      stream(before, new Promise(setImmediate), behind, ...wholeStream('end')),
      stream(chunk({ content: 'Hel' }), event({ error: { message: SAID, code: 400 } })),
      json(200, { id: 'r', output: [], metadata: { echoed: SAID } }),
      json(200, { data: [{ embedding: [1], echoed: SAID }] }),
    );
    const input = { model: 'scripted', input: 'x' };

    const answers = [
      await gateway.chat(),
      await gateway.chat({ stream: true }),
      await gateway.chat({ stream: true }),
      await gateway.respond(),
      await gateway.post('/v1/embeddings', input),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('****');
      expectNoSecret(body);
    }
  });

  it('are told to the server alone, while what is no secret is left as it is', async () => {
    gateway.backend.answer(completion('Our research is done.'));

    const { body } = await gateway.chat();

    expect(body.choices[0].message.content).toBe('Our research is done.');
    expect(gateway.backend.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-gateway-token': TOKEN,
    });
  });

  function expectNoSecret(body: unknown): void {
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  }
});

describe("an operator's key in a list of models", () => {
  const models = json(200, { data: [{ id: 'scripted', owned_by: KEY }] });
  const gateway = useGateway({ models, backends: [{ ...CONFIGURED, models: undefined }] });

  it('is masked too', async () => {
    const { body } = await gateway.get('/v1/models');

    expect(JSON.stringify(body)).toContain('"owned_by":"****');
    expect(JSON.stringify(body)).not.toContain(KEY);
  });
});

describe('what counts as a secret', () => {
  it.each<[secrets: string[], settings: Parameters<typeof secretsOf>[0]]>([
    [['sk-12345'], { api_key: 'sk-12345', headers: {} }],
    [[], { api_key: 'ollama', headers: {} }],
    [['Bearer abcdefgh', 'abcdefgh'], { headers: { authorization: 'Bearer abcdefgh' } }],
    [['session=abcdefgh; a=1', 'abcdefgh'], { headers: { cookie: 'session=abcdefgh; a=1' } }],
    [['0123456789abcdef0123'], { headers: { 'x-other': '0123456789abcdef0123' } }],
    [[], { headers: { 'x-title': 'Production', 'anthropic-version': '2023-06-01', referer: 'https://a.example/b' } }],
  ])('is %j', (secrets, settings) => {
    expect(secretsOf(settings)).toEqual(secrets);
  });
});
