import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenapiDocument } from '../../src/rest/openapi/openapi.js';
import { ApiDescription } from '../support/probes/api-description.js';
import type { GivenAnswer, Operation } from '../support/probes/api-description.js';
import { libretranslate, languagesOf, toGerman } from '../support/builders/translating-model.js';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import type { Platform } from '../support/servers/platform.js';
import type { ScriptedBackend } from '../support/servers/scripted-backend.js';
import { addressOf, startScriptedSearxng } from '../support/servers/scripted-search.js';
import { newServiceKey } from '../support/servers/service-key.js';

describe('the OpenAPI description', () => {
  let [gateway, platform, web]: [Gateway, Platform, ScriptedBackend] = [] as never;
  let [document, api]: [OpenapiDocument, ApiDescription] = [] as never;
  beforeAll(async () => {
    web = await startScriptedSearxng();
    gateway = await startGateway({ backends: [TRANSLATOR], env: { ...ENV, SEARXNG_URL: addressOf(web) } });
    gateway.backend.byDefault = libretranslate(toGerman, languagesOf('en', 'es'));
    ({ platform } = gateway);
    document = (await platform.request('GET', '/openapi.json')).body;
    api = new ApiDescription(document);
  });
  afterAll(() => Promise.all([gateway.close(), web.close()]));

  it('is OpenAPI 3.1 of version 1.2.4', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.4' } });
  });

  it('has a success of each operation: a body, no content, or the address to go on to', () => {
    const without = api.operations.filter(({ responses }) => !SUCCESS.some((status) => status in responses));
    const redirect = document.paths['/v1/auth/sso/callback']?.get?.responses as Record<string, object>;

    expect(without.map(({ id }) => id)).toEqual([]);
    expect(redirect['302']).toEqual({
      description: 'Found',
      headers: {
        'x-request-id': { $ref: '#/components/headers/x-request-id' },
        location: { $ref: '#/components/headers/location' },
      },
    });
  });

  it('has every endpoint and every route outside the engine, and nothing else', () => {
    const described = api.operations.map(({ method, path }) => `${method} ${path}`);

    expect(described.sort()).toEqual(
      [...listedEndpoints().map(({ method, path }) => `${method} ${path}`), ...outside()].sort(),
    );
  });

  it('names each operation once, by the name of its document in camelCase', () => {
    const names = api.operations.map(({ id }) => id);
    const documents = platform.app.endpoints.filter(({ when }) => !when).map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(documents.map((name) => name[0]?.toLowerCase() + name.slice(1))));
    expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(name))).toEqual([]);
  });

  it('says in a few words what each operation does', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const summaries = operations.map(({ summary }) => String(summary));

    expect(summaries.filter((summary) => !/^[A-Z][a-z]+ [^.;]{2,50}$/.test(summary))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
    expect(document.paths['/v1/api-tokens/{id}/rotate']?.post?.summary).toBe('Rotate a personal access token');
  });

  it('groups the operations by their areas', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const used = new Set(operations.flatMap(({ tags }) => tags as string[]));

    expect(document.tags.map(({ name }) => name)).toEqual([
      'Discovery',
      'Authentication',
      'API tokens',
      'Completions',
      'Chat',
      'Responses',
      'Embeddings',
      'Knowledge bases',
      'Researcher',
      'Document Analyzer',
      'Echo',
      'Translation',
      'Admin',
      'Quota',
      'GraphQL',
    ]);
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort());
    expect(document.tags.every((tag) => typeof tag.description === 'string' && !('paths' in tag))).toBe(true);
  });

  it('has what generators of clients understand: one type or null, no defaults in bodies, free objects that say so', () => {
    const components = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
    const schemas = components.flatMap(([name, schema]) => schemasIn(schema, name));
    const problems = schemas.flatMap(([pointer, schema]) => {
      const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
      const isFree = types.includes('object') && !('properties' in schema);
      return [
        ...(types.length > 1 ? [`${pointer} has several types`] : []),
        ...('default' in schema ? [`${pointer} has a default`] : []),
        ...(isFree && !('additionalProperties' in schema) ? [`${pointer} does not say that it is free`] : []),
        ...(types.includes('array') && !('items' in schema) ? [`${pointer} does not say what it is a list of`] : []),
      ];
    });

    expect(problems).toEqual([]);
  });

  it('names every body and every answer that is an object, by a component with a title', () => {
    const contents = JSON.stringify(document.paths).matchAll(/"application\/json":\{"schema":(\{[^}]*\})/g);
    const inline = [...contents].map(([, schema]) => schema).filter((schema) => !schema?.startsWith('{"$ref"'));
    const untitled = Object.entries(document.components.schemas ?? {}).filter(([name, { title }]) => title !== name);

    expect(inline).toEqual([]);
    expect(untitled).toEqual([]);
  });

  it('says who may call what', () => {
    const operation = (path: string, method: string) => document.paths[path]?.[method];

    expect(operation('/v1/auth/login', 'post')?.security).toEqual([]);
    expect(operation('/v1/chat/completions', 'post')?.security).toEqual([{ bearerToken: ['chat:write'] }]);
    expect(operation('/v1/admin/tenants/{id}', 'patch')?.security).toEqual([{ bearerToken: ['admin:write', 'admin'] }]);
    expect(operation('/metrics', 'get')?.security).toEqual([{ serviceKey: [] }]);
  });

  it('describes a stream and a whole answer as one operation', () => {
    const post = document.paths['/v1/chat/completions']?.post as {
      responses: Record<string, { content: object; headers: object }>;
    };

    expect(post.responses['200']).toMatchObject({
      description: expect.stringMatching(/`data: \[DONE\]`.*`ErrorResponse`/),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/ChatCompletion' } },
        'text/event-stream': { schema: { $ref: '#/components/schemas/ChatCompletionChunk' } },
      },
    });
    expect(Object.keys(post.responses['200']?.headers ?? {})).toContain('x-ratelimit-remaining-requests');
    expect(Object.keys(post.responses)).toEqual(
      expect.arrayContaining(['400', '401', '404', '409', '429', '502', '504']),
    );
  });

  it('tells only the errors that can happen', () => {
    const statuses = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {});

    expect(statuses('/v1/models', 'get')).toEqual(['200', '401', '403', '429', '500', '503']);
    expect(statuses('/v1/auth/logout', 'post')).toEqual(['200', '400', '403', '413', '415', '500', '503']);
  });

  it('has an example of every body and of every successful answer, and each fits its schema', () => {
    const problems = api.operations.flatMap((operation) => [
      ...(operation.body ? examplesOf(operation.body, operation.body.pointer) : []),
      ...Object.entries(operation.responses)
        .filter(([status]) => SUCCESS.includes(status))
        .flatMap(([, pointer]) =>
          Object.keys(api.at(pointer).content ?? {}).flatMap((type) => {
            const below = `${pointer}/content/${type.replaceAll('/', '~1')}`;
            return examplesOf(api.at(below), `${below}/schema`);
          }),
        ),
    ]);

    expect(problems).toEqual([]);
  });

  it('has an example of every path variable', () => {
    const variables = api.operations.flatMap(({ id, parameters }) =>
      parameters.filter((parameter) => parameter.in === 'path').map((parameter) => [id, parameter.example]),
    );

    expect(variables.filter(([, example]) => example === undefined)).toEqual([]);
  });

  it('is what the server does: every example is answered as described', async () => {
    const { access_token: token } = await platform.login();
    const problems: string[] = [];

    for (const operation of api.operations) {
      const answers = await Promise.all(bodiesOf(operation).map((body) => played(operation, body, token)));
      problems.push(...answers.flatMap((answer) => problemOf(operation, answer) ?? []));
      const isSelfContained = !operation.path.includes('{') && !showsWhatIsOfOthers(operation);
      if (isSelfContained && answers.every(({ status }) => status >= 400))
        problems.push(`${operation.id} never succeeds`);
    }

    expect(problems).toEqual([]);
  });

  function problemOf(operation: Operation, answer: GivenAnswer): string | undefined {
    const problem = answer.status >= 500 ? 'the server failed' : api.problemOf(operation, answer);
    return problem && `${operation.id}: ${problem}: ${answer.status} ${answer.text}`;
  }

  function examplesOf(media: { examples?: Record<string, { value: unknown }> }, schema: string): string[] {
    const examples = Object.entries(media.examples ?? {});
    if (examples.length === 0) return [`${schema}: no example`];
    return examples
      .map(([name, { value }]) => ({ name, mismatch: api.mismatch(schema, value) }))
      .flatMap(({ name, mismatch }) => (mismatch ? [`${schema} ${name}: ${mismatch}`] : []));
  }

  async function played(operation: Operation, body: unknown, token: string): Promise<GivenAnswer> {
    const url = new URL(platform.url);
    url.pathname = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(operation, name)));
    for (const { name, in: place, example } of operation.parameters) {
      if (place === 'query' && example !== undefined) url.searchParams.set(name, String(example));
    }
    const credential = isForServices(operation) ? SERVICE.key : token;
    const options = { token: credential, body, redirect: 'manual' } as const;
    const response = await platform.send(operation.method, url.pathname + url.search, options);
    return { status: response.status, contentType: response.headers.get('content-type'), text: await response.text() };
  }

  function isForServices({ path, method }: Operation): boolean {
    const { security } = document.paths[path]?.[method.toLowerCase()] ?? {};
    return JSON.stringify(security) === JSON.stringify([{ serviceKey: [] }]);
  }

  function exampleOf({ parameters }: Operation, name: string): string {
    return String(parameters.find((parameter) => parameter.name === name)?.example);
  }
});

/** A schema and all that are in it, with the way to each. */
function schemasIn(schema: Schema, way: string): [way: string, schema: Schema][] {
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  const others = { items, additionalProperties, ...oneOf };
  const below = [...Object.entries(properties), ...Object.entries(others)];
  return [
    [way, schema],
    ...below.flatMap(([name, part]) => (typeof part === 'object' ? schemasIn(part, `${way}/${name}`) : [])),
  ];
}

/** The example bodies of an operation; one without a body is played once. */
function bodiesOf({ body }: Operation): unknown[] {
  return body ? Object.values(body.examples).map(({ value }) => value as unknown) : [undefined];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
}

/** The routes that are no REST documents. */
function outside() {
  return [
    'GET /',
    'GET /.well-known/jwks.json',
    'GET /account',
    'GET /dashboard',
    'GET /docs',
    'GET /graphiql',
    'GET /graphql',
    'GET /health',
    'GET /health/ready',
    'GET /metrics',
    'GET /openapi.json',
    'GET /v1/blobs/{sealed}',
    'POST /graphql',
  ];
}

function listedEndpoints(): readonly { readonly method: string; readonly path: string }[] {
  return JSON.parse(readFileSync(new URL('../fixtures/endpoints.json', import.meta.url), 'utf8'));
}

const SECRETS = ['login', 'refreshTokens', 'ssoLogin', 'startSso', 'exchangeSsoCode', 'confirmRegistration'];
const FILES = ['createTranscription', 'createEchoTranscription', 'createTranslation', 'translateDocument'];
const OF_OTHERS = new Set([...SECRETS, 'resetPassword', 'setPassword', 'createKnowledgeChat', ...FILES]);

/** Whether its examples show somebody else’s address, password, code, token or knowledge base, or need a file. */
function showsWhatIsOfOthers({ id }: Operation): boolean {
  return OF_OTHERS.has(id);
}

/** What the examples of translation need on a machine without apertium. */
const TRANSLATOR = { id: 'translator', kind: 'libretranslate', models: [{ id: 'translator' }] };
const SUCCESS = ['200', '201', '202', '204', '302'];
const SERVICE = newServiceKey();
const ENV = { ...SERVICE.env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' };
