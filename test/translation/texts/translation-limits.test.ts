import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultTenantId } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { setQuota, usedOf } from '../../support/builders/quota.js';
import type { MonthUsage } from '../../support/builders/quota.js';
import { json } from '../../support/servers/scripted-backend.js';
import { toGerman, translating } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';
const TEXT = 'The house is red.';

describe('requests to translate', () => {
  const gateway = useGateway(() => SETTINGS);

  afterEach(() => gateway.backends.forEach((backend) => backend.reset()));

  it.each<[name: string, body: object, status: number, param?: string]>([
    ['neither text nor texts', {}, 400, 'text'],
    ['both', { text: TEXT, texts: [TEXT] }, 400, 'text'],
    ['no texts', { texts: [] }, 400, 'texts'],
    ['1,001 texts', { texts: Array.from({ length: 1_001 }, () => 'a') }, 400, 'texts'],
    ['a text that is none', { texts: [7] }, 400, 'texts[0]'],
    ['more than 1 MiB', { texts: ['ä'.repeat(524_289)] }, 413, undefined],
    ['20,001 lines', { text: 'a\n'.repeat(20_001) }, 400, 'text'],
    [
      '20,001 blocks of HTML together',
      { texts: ['<p>a'.repeat(10_001), '<p>a'.repeat(10_000)], format: 'html' },
      400,
      'texts',
    ],
    ['20,001 tags without a partner', { text: 'a<b>'.repeat(20_001), format: 'html' }, 400, 'text'],
    ['lines with 20,000 branches of a message', { text: `{n, plural, ${'=1{a}'.repeat(20_000)}}` }, 400, 'text'],
    ['more branches than a call takes arguments', { text: `{n, plural, ${'=1{a}'.repeat(200_000)}}` }, 400, 'text'],
    ['100,001 placeholders', { text: 'a %d '.repeat(100_001) }, 400, 'text'],
    ['102,000 tags with a partner', { texts: ['<b>word</b> '.repeat(51_000)], format: 'html' }, 400, 'texts'],
    ['no target', { text: TEXT, target_language: null }, 400, 'target_language'],
    ['a malformed target', { text: TEXT, target_language: 'english please' }, 400, 'target_language'],
    ['a malformed source', { text: TEXT, source_language: '-' }, 400, 'source_language'],
    ['stream that is neither true nor false', { text: TEXT, stream: 'true' }, 400, 'stream'],
    ['a format that is none', { text: TEXT, format: 'pdf' }, 400, 'format'],
    ['a formality that is none', { text: TEXT, formality: 'rude' }, 400, 'formality'],
    [
      '1,001 terms',
      { text: TEXT, glossary: Array.from({ length: 1_001 }, () => ({ source: 'a', target: 'b' })) },
      400,
      'glossary',
    ],
    ['an empty term', { text: TEXT, glossary: [{ source: ' ', target: 'b' }] }, 400, 'glossary'],
    ['an unknown model', { text: TEXT, model: 'nobody' }, 404, undefined],
  ])('are refused for %s, and a malformed one names the field', async (_name, body, status, param) => {
    const answer = await translate(body);

    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect(gateway.received).toBe(0);
  });

  it('wait with a part of the memory for a model that says nothing, and leave the rest to others', async () => {
    for (const backend of gateway.backends) backend.byDefault = () => ({ ending: 'silent' });
    const long = { text: `A word ${'or two '.repeat(140_000)}`, format: 'html' };
    const leaving = new AbortController();
    const waiting = [1, 2].map(() => translate(long, { signal: leaving.signal }).catch(() => undefined));
    await eventually('both have asked', 20, () => gateway.received > 1);

    const refused = await translate(long);
    serve();
    const short = await translate({ text: TEXT });
    leaving.abort();
    await Promise.all(waiting);

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.body.error.message).toContain('of yours');
    expect(short.status).toBe(200);
  });

  const translate = (members: object, options?: object) =>
    gateway.post('/v1/translate/text', { ...LANGUAGES, ...members }, options);
  const serve = (): void => gateway.backends.forEach((backend) => (backend.byDefault = translating(toGerman)));

  it('may have 1,000 texts, whose order is kept', async () => {
    serve();
    const texts = Array.from({ length: 1_000 }, (_, index) => `The house has number ${index}.`);

    const rest = await translate({ texts });
    const graph = await gateway.graphql(
      'mutation ($input: TranslateTextInput!) { translateText(input: $input) { translations { text } } }',
      { input: { texts, sourceLanguage: 'en', targetLanguage: 'de' } },
    );

    const wanted = texts.map(toGerman);
    expect(rest.body.translations.map(({ text }: AnyJson) => text)).toEqual(wanted);
    expect(graph.body.data?.translateText.translations.map(({ text }: AnyJson) => text) ?? graph.body).toEqual(wanted);
  });

  it('may have 20,000 lines together, and messages of many branches', async () => {
    serve();
    const lines = 'a\n'.repeat(15_000);
    const message = `{n, plural, ${'=1{a}'.repeat(4_999)}}`;

    const { status, body } = await translate({ texts: [lines, message] });

    expect(status).toBe(200);
    expect(body.translations[0].text.split('\n')).toHaveLength(15_001);
    expect(body.translations[1].text.match(/=1\{/g)).toHaveLength(4_999);
  });

  it('go to another server of the model where one fails, with the caller’s key where there is one', async () => {
    serve();
    (gateway.backends[0] as AnyJson).byDefault = () => json(503, { error: { message: 'busy' } });

    const answer = await translate(
      { text: TEXT, model: 'scripted' },
      { headers: { 'x-byok-api-key': 'my-own-key-12345' } },
    );

    expect(answer.body.translations[0].text).toBe(toGerman(TEXT));
    expect(gateway.backends[1]?.requests.at(-1)?.headers.authorization).toBe('Bearer my-own-key-12345');
  });

  it('ask once with a key of the caller that the server refuses', async () => {
    for (const backend of gateway.backends) backend.byDefault = () => json(401, { error: { message: 'wrong key' } });

    const { status, body } = await translate(
      { text: TEXT, model: 'scripted' },
      { headers: { 'x-byok-api-key': 'my-own-key-12345' } },
    );

    expect([status, body.error.param]).toEqual([400, 'x-byok-api-key']);
    expect(gateway.backends.flatMap(({ requests }) => requests.map(({ body }) => 'response_format' in body))).toEqual([
      true,
    ]);
  });

  it('are answered again for the same Idempotency-Key, and paid once', async () => {
    serve();
    const headers = { 'idempotency-key': 'translate-this-once' };

    const first = await translate({ text: TEXT }, { headers });
    const second = await translate({ text: TEXT }, { headers });
    const other = await translate({ text: 'Another text.' }, { headers });
    const same = { headers: { 'idempotency-key': 'nothing-to-be-done' } };
    const unasked = [
      await translate({ text: TEXT, target_language: 'en' }, same),
      await translate({ text: TEXT, target_language: 'en' }, same),
    ];

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.received).toBe(1);
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_mismatch']);
    expect(unasked.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('count once against the limit, and carry its headers', async () => {
    serve();

    const { headers } = await translate({
      texts: Array.from({ length: 100 }, (_, index) => `The house has number ${index}.`),
    });

    expect(headers.get('x-ratelimit-limit-requests')).toBe('600');
  });

  it('use no model that the policy of the tenant does not allow', async () => {
    serve();
    const path = `/v1/admin/tenants/${await defaultTenantId(gateway.platform)}/model-policy`;
    await gateway.request('PUT', path, { body: { deny: ['scripted'] } });

    const chosen = await translate({ text: TEXT });
    const named = await translate({ text: TEXT, model: 'scripted' });
    const languages = await gateway.get('/v1/translate/languages');
    await gateway.request('PUT', path, { body: {} });

    expect(chosen.body.model).toBe('other');
    expect([named.status, named.body.error.code]).toEqual([409, 'model_not_allowed']);
    expect(languages.body.data.map(({ model }: AnyJson) => model)).toEqual(['other']);
  });

  it('stop where the quota ends', async () => {
    serve();
    await setQuota(gateway, { enforcing: true, tokens: 1 });

    const { status, body } = await translate({ text: TEXT });
    await setQuota(gateway, { enforcing: false });

    expect([status, body.error.reason]).toEqual([429, 'quota_exceeded']);
    expect(gateway.received).toBe(0);
  });

  it('make calls one after another where what they hold at once is more than is left', async () => {
    serve();
    const { tokens } = await usedOf(gateway);
    await setQuota(gateway, { enforcing: true, tokens: tokens + 12_000 });

    const { status, body } = await translate({ texts: MANY });
    await setQuota(gateway, { enforcing: false });

    expect([status, body.translations?.length ?? body]).toEqual([200, MANY.length]);
  });

  it.each([
    ['requests', ({ requests }: MonthUsage) => ({ requests })],
    ['tokens', ({ tokens }: MonthUsage) => ({ tokens: tokens + 1 })],
  ])('of several calls are refused at once, and charged for nothing, where no %s are left', async (_what, toQuota) => {
    serve();
    const before = await usedOf(gateway);
    await setQuota(gateway, { enforcing: true, ...toQuota(before) });

    const { status, body } = await translate({ texts: MANY });
    const after = await usedOf(gateway);
    await setQuota(gateway, { enforcing: false });

    expect([status, body.error.reason]).toEqual([429, 'quota_exceeded']);
    expect([gateway.received, after]).toEqual([0, before]);
  });

  it('are charged for nothing where the Idempotency-Key is not free', async () => {
    const headers = { 'idempotency-key': 'many-texts-at-once-1' };
    const answered = Promise.withResolvers<void>();
    const answer = async function* (): AsyncGenerator<string> {
      await answered.promise;
      yield '{}';
    };
    gateway.backends.forEach((backend) => (backend.byDefault = () => ({ pieces: answer() })));
    const slow = translate({ texts: MANY, model: 'scripted' }, { headers });
    await eventually('the first is asked', 5, () => gateway.received > 0);
    const before = await usedOf(gateway);

    const token = (await gateway.platform.login()).access_token;
    const second = await translate({ texts: MANY, model: 'scripted' }, { headers, token });
    const after = await usedOf(gateway);
    answered.resolve();
    await slow;

    expect([second.status, second.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    expect(after.tokens).toBe(before.tokens);
  });

  it('need the scope translate:write', async () => {
    const pat = await gateway.post('/v1/api-tokens', { name: 'reader', scopes: ['models:read'], expires_in_days: 1 });

    const answers = await Promise.all([
      gateway.platform.as(pat.body.token).post('/v1/translate/text', { ...LANGUAGES, text: TEXT }),
      gateway.platform.as(pat.body.token).get('/v1/translate/languages'),
      gateway.platform.request('GET', '/v1/translate/languages'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
  });
});

/** More than one call takes. */
const MANY = Array.from({ length: 160 }, (_, index) => `The house has number ${index}, and a garden.`);

const LANGUAGES = { source_language: 'en', target_language: 'de' } as const;

const SETTINGS = {
  servers: 2,
  backends: [
    { id: 'one', byok: true },
    { id: 'two', byok: true },
    { id: 'three', models: ['other'] },
  ],
  env: { BUILTIN_BACKEND: 'false' },
};
