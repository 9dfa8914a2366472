import { describe, expect, it } from '@jest/globals';
import { CHAT } from '../../support/builders/chat-request.js';
import { silentLog } from '../../support/probes/silent-log.js';
import type { OpenaiSettings } from '../../../src/inference/backends/backend-settings.js';
import { OpenaiBackend } from '../../../src/inference/backends/openai/openai-backend.js';
import { json, startScriptedBackend } from '../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { startPlatform } from '../../support/servers/platform.js';
import { useGateway } from '../../support/servers/use-servers.js';

const MODEL_FIELDS = 'id object ownedBy created capabilities';

/** What a model server does unless its settings say otherwise. */
const USUAL = ['chat', 'completions', 'responses', 'embeddings'];

describe('models and backends', () => {
  const gateway = useGateway({ models: ['llama', 'org/qwen'], env: { OPENAI_API_KEY: 'sk-upstream' } });

  it('are listed in an envelope', async () => {
    const { status, body } = await gateway.get('/v1/models');

    expect(status).toBe(200);
    expect({ ...body, data: withoutEngines(body.data) }).toEqual({
      object: 'list',
      data: [
        { id: 'llama', object: 'model', owned_by: 'tests', created: 1_760_000_000, capabilities: USUAL },
        { id: 'org/qwen', object: 'model', owned_by: 'tests', created: 1_760_000_000, capabilities: USUAL },
        {
          id: 'builtin-extractive',
          object: 'model',
          owned_by: 'builtin',
          created: expect.any(Number),
          capabilities: ['chat', 'completions'],
        },
        {
          id: 'builtin-hash-embedding',
          object: 'model',
          owned_by: 'builtin',
          created: expect.any(Number),
          capabilities: ['embeddings'],
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it('are found by their id, also with a slash in it', async () => {
    const plain = await gateway.get('/v1/models/llama');
    const slash = await gateway.get('/v1/models/org%2Fqwen');
    const unknown = await gateway.get('/v1/models/none');

    expect([plain.status, plain.body.id]).toEqual([200, 'llama']);
    expect([slash.status, slash.body.id]).toEqual([200, 'org/qwen']);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'model_not_found']);
  });

  it('tell of each backend what it serves, without address or key', async () => {
    const { body } = await gateway.get('/v1/backends');

    expect(body.data).toEqual([
      {
        backend: 'openai',
        provider: 'openai',
        supports: USUAL,
        models: ['llama', 'org/qwen'],
        healthy: true,
        latency_ms: expect.any(Number),
        in_flight: 0,
      },
      {
        backend: 'builtin',
        provider: 'builtin',
        // Beside them are the engines of speech that run on this machine.
        supports: expect.arrayContaining(['chat', 'completions', 'embeddings', 'speech']),
        models: expect.arrayContaining(['builtin-extractive', 'builtin-hash-embedding', 'builtin-flite']),
        healthy: true,
        latency_ms: 0,
        in_flight: 0,
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|sk-upstream/);
  });

  it('are the same over GraphQL, as an entity too', async () => {
    const query = `query ($refs: [_Any!]!) {
      models { ${MODEL_FIELDS} } model(id: "llama") { ${MODEL_FIELDS} }
      backends { backend latencyMs inFlight }
      _entities(representations: $refs) { ... on Model { ${MODEL_FIELDS} } }
    }`;
    const refs = ['llama', 'none'].map((id) => ({ __typename: 'Model', id }));

    const { body } = await gateway.graphql(query, { refs });

    expect(body.errors).toBeUndefined();
    expect(withoutEngines(body.data.models)).toHaveLength(4);
    expect(body.data.model).toMatchObject({ id: 'llama', ownedBy: 'tests' });
    expect(body.data.backends).toHaveLength(2);
    expect(body.data._entities).toEqual([body.data.model, null]);
  });

  it('need a token', async () => {
    for (const path of ['/v1/models', '/v1/models/llama', '/v1/backends']) {
      expect((await gateway.platform.request('GET', path)).status).toBe(401);
    }
  });
});

describe('a model server that is asked for its models', () => {
  it('may be down at the start, and is known as soon as it comes up', async () => {
    const backend = await startScriptedBackend();
    const { port } = backend;
    await backend.close();
    const platform = await startPlatform({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
    const admin = platform.as((await platform.login()).access_token);
    const ask = () => admin.post('/v1/chat/completions', CHAT);

    const before = await ask();
    const models = await admin.get('/v1/models');
    const backends = await admin.get('/v1/backends');
    await backend.listen(port);
    let after = await ask();
    while (after.status === 502) after = await ask();
    await platform.close();
    await backend.close();

    expect([before.status, before.body.error.code]).toEqual([502, 'bad_upstream']);
    expect(before.body.error.message).not.toContain(String(port));
    expect(withoutEngines(models.body.data).map(({ id }) => id)).toEqual([
      'builtin-extractive',
      'builtin-hash-embedding',
    ]);
    expect(backends.body.data[0]).toMatchObject({ healthy: false, latency_ms: null });
    expect(after.status).toBe(200);
  });

  it.each([
    ['an HTML page', { type: 'text/html', pieces: ['<html>'] }],
    ['an error', json(500, { error: 'no' })],
    ['no list', json(200, { models: [] })],
  ])('is not healthy where it answers %s', async (_what, models) => {
    const server = await startScriptedBackend();
    server.models = models;
    const backend = openBackend(server);

    await backend.refresh();
    await Promise.all([backend.close(), server.close()]);

    expect([backend.healthy, backend.modelsKnown, backend.models]).toEqual([false, false, []]);
  });

  it('is asked once, whoever asks at the same time', async () => {
    const server = await startScriptedBackend();
    let asked = 0;
    server.models = {
      get pieces() {
        asked += 1;
        return ['{"data":[{"id":"a"}]}'];
      },
    };
    const backend = openBackend(server);

    await Promise.all([backend.refresh(), backend.refresh()]);
    await backend.refresh();
    await Promise.all([backend.close(), server.close()]);

    expect(asked).toBe(1);
    expect(backend.models).toMatchObject([{ id: 'a', upstream: 'a' }]);
  });
});

function openBackend({ url }: ScriptedBackend): OpenaiBackend {
  const settings = {
    id: 'a',
    kind: 'openai',
    base_url: url,
    supports: ['chat'],
    queue: { max: 0, seconds: 1 },
    headers: {},
    timeout_seconds: 5,
  };
  return new OpenaiBackend(settings as OpenaiSettings, silentLog);
}

/** Which engines of speech and translation run, the machine decides. */
function withoutEngines(models: readonly { id: string; capabilities: string[] }[]) {
  const ofEngines = ['speech', 'transcribe', 'translate'];
  return models.filter(({ capabilities }) => !capabilities.some((one) => ofEngines.includes(one)));
}
