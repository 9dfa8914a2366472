import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { json, silence } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { addRuntimeBackend } from '../../support/servers/runtime-backend.js';
import { languagesOf, libretranslate, toGerman, translating } from '../../support/builders/translating-model.js';
import { leaveCall } from '../../support/probes/left-call.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a translation server', () => {
  const gateway = useGateway(() => SETTINGS);

  beforeAll(async () => {
    serve();
    await becomeHealthy(gateway);
  });
  afterEach(() => gateway.backends.forEach((backend) => backend.reset()));

  it('is asked first where it serves the languages, by its key and as HTML, whose tags come back', async () => {
    serve();

    const { status, body } = await translate({ text: 'See <b>the red</b> book &amp; {name}.', format: 'html' });

    expect(status).toBe(200);
    expect(body.model).toBe('lt');
    expect(body.translations[0]).toEqual({
      text: `${toGerman('See')} <b>${toGerman('the red')}</b> ${toGerman('book')} &amp; {name}.`,
      detected_language: null,
      engine: 'libretranslate',
      warnings: [],
    });
    const [{ body: sent }] = asked() as [AnyJson];
    expect(sent).toEqual({
      q: [expect.any(String)],
      source: 'en',
      target: 'de',
      format: 'html',
      api_key: 'server-key-1',
    });
    expect(body.usage.total_tokens).toBeGreaterThan(0);
  });

  const [server, chat] = [() => gateway.backends[0]!, () => gateway.backends[1]!];
  const serve = (languages?: unknown): void => {
    server().byDefault = libretranslate(germanHtml, languages);
    chat().byDefault = translating(toGerman);
  };
  const answering = (script: Script): void => {
    server().byDefault = (request) =>
      request.path.endsWith('/languages') ? libretranslate(germanHtml)(request) : script;
  };
  const translate = (members: object, options?: object) =>
    gateway.post('/v1/translate/text', { ...SOURCE, ...members }, options);
  const asked = () => server().requests.filter(({ path }) => path.endsWith('/translate'));

  it('is metered by the tokenizer, which is marked as estimated', async () => {
    serve();

    await translate({ text: 'The house is red.' });

    const { body } = await gateway.get('/v1/usage/calls');
    expect(body.data[0]).toMatchObject({ model: 'lt', state: 'estimated', outcome: 'completed' });
    expect(body.data[0].prompt_tokens).toBeGreaterThan(0);
  });

  it('tells the language where nobody else can', async () => {
    serve();

    const { body } = await translate({ text: 'Radio 24', source_language: undefined });

    expect(body.translations[0]).toMatchObject({ detected_language: 'en', engine: 'libretranslate' });
    expect((asked()[0] as AnyJson).body.source).toBe('auto');
  });

  it('takes the caller’s key in place of its own, in the body alone', async () => {
    serve();

    await translate({ text: 'The house is red.' }, { headers: { 'x-byok-api-key': 'my-own-key-12345' } });

    const [request] = asked() as [AnyJson];
    expect(request.body.api_key).toBe('my-own-key-12345');
    expect(request.headers.authorization).toBeUndefined();
  });

  it('is passed over for a pair or an option that it lacks, and named it is refused', async () => {
    serve();

    const pair = await translate({ text: 'The house is red.', target_language: 'sv' });
    const option = await translate({ text: 'The house is red.', formality: 'more' });
    const named = await translate({ text: 'The house is red.', formality: 'more', model: 'lt' });
    const told = await translate({ text: 'The house is red.', context: 'A shop.', model: 'lt' });
    const unserved = await translate({ text: 'The house is red.', target_language: 'sv', model: 'lt' });

    expect([pair, option].map(({ body }) => body.model)).toEqual(['scripted', 'scripted']);
    expect([named, told, unserved].map(({ status, body }) => [status, body.error.code, body.error.param])).toEqual([
      [409, 'capability_not_supported', 'formality'],
      [409, 'capability_not_supported', 'context'],
      [409, 'capability_not_supported', 'target_language'],
    ]);
  });

  it.each<[name: string, script: Script, status: number]>([
    ['is busy', json(429, { error: 'Slowdown' }, { 'retry-after': '1' }), 503],
    ['fails', json(500, { error: 'Cannot translate text' }), 502],
    ['quotes what it was sent', json(400, { error: 'No such field: {"api_key": "server-key-1"}' }), 400],
    ['quotes its key in another way', json(500, { error: 'server\\u002dkey-1 is over its limit' }), 502],
    ['refuses its key', json(403, { error: 'Invalid API key' }), 502],
    ['answers a number', json(200, { translatedText: [7] }), 502],
    ['answers too few texts', json(200, { translatedText: [] }), 502],
    ['answers a list', json(200, ['Das Haus']), 502],
    ['answers no JSON', { pieces: ['<html>'] }, 502],
    ['answers half', { pieces: ['{"translatedText": ["Das'], ending: 'cut' }, 502],
    ['answers far too much', json(200, { translatedText: ['Das Haus '.repeat(2_000)] }), 502],
  ])('that %s is an error, and no translation', async (_name, script, status) => {
    answering(script);

    const answer = await translate({ text: 'The house is red.', model: 'lt' });

    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain('server-key-1');
  });

  it('is left by a caller who leaves while it says nothing', async () => {
    answering(silence());
    const text = { text: 'The house is red.', model: 'lt' };

    const left = leaveCall(server(), (signal) => translate(text, { signal }));

    await expect(left).resolves.toBeUndefined();
  });

  it('may be added while the server runs, for one tenant, and says what it serves', async () => {
    serve(languagesOf('it', 'pl'));

    const added = await addRuntimeBackend(gateway.platform, gateway.token, {
      name: 'added-lt',
      kind: 'libretranslate',
      base_url: server().url,
      models: undefined,
    });
    const { body } = await gateway.get('/v1/translate/languages');
    const changed = await gateway.request('PATCH', `/v1/admin/backends/${added.body.id}`, { body: { kind: 'openai' } });

    expect([added.status, added.body.kind, added.body.supports]).toEqual([201, 'libretranslate', ['translate']]);
    expect(body.data.find(({ model }: AnyJson) => model === 'added-lt')).toEqual({
      engine: 'libretranslate',
      model: 'added-lt',
      pairs: [
        { source: 'it', target: 'pl' },
        { source: 'pl', target: 'it' },
      ],
      formality: false,
      glossary: true,
      html: true,
      context: false,
    });
    expect(body.data.at(-1)).toMatchObject({ engine: 'chat', pairs: [{ source: '*', target: '*' }], formality: true });
    expect([changed.status, changed.body.error.param]).toEqual([400, 'kind']);
    await gateway.request('DELETE', `/v1/admin/backends/${added.body.id}`);
  });
});

const SERVER = { id: 'lt', kind: 'libretranslate', models: undefined, byok: true, api_key: 'server-key-1' } as const;

const SOURCE = { source_language: 'en', target_language: 'de' } as const;

/** Translates the words of HTML, and leaves its tags. */
const germanHtml = (html: string): string =>
  html.replaceAll(/(<[^>]*>|&\w+;)|([^<&]+)/g, (_all, tag, text) => tag ?? toGerman(text));

const SETTINGS = {
  servers: 2,
  backends: [SERVER, { id: 'chat' }],
  env: { BUILTIN_BACKEND: 'false', EGRESS_ALLOW: '127.0.0.0/8' },
};

/** It was asked before it could answer, so that calls are kept away from it for a while. */
async function becomeHealthy(gateway: Gateway): Promise<void> {
  await eventually('the server is healthy', 60, async () => {
    const { body } = await gateway.get('/v1/backends');
    return body.data.every(({ healthy }: AnyJson) => healthy);
  });
}
