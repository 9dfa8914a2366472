import { beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('GraphQL over HTTP', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it('passes every MUST of the GraphQL over HTTP audit', async () => {
    const audits = serverAudits({ url: `${platform.url}/graphql` });

    const results = await Promise.all(audits.map((audit) => audit.fn()));
    const failed = results.filter((result) => result.status === 'error');

    expect(results.length).toBeGreaterThan(40);
    expect(failed.map((result) => `${result.name}: ${'reason' in result ? result.reason : ''}`)).toEqual([]);
  });

  it('answers a query of the caller', async () => {
    const { body } = await platform.graphql('{ me { email tenant { name } quota { percentUsed } } }', {}, token);

    expect(body).toEqual({
      data: { me: { email: platform.admin.email, tenant: { name: 'Default' }, quota: { percentUsed: 0 } } },
    });
  });

  it('gives errors the three fields of REST', async () => {
    const { body } = await platform.graphql('{ me { id } }');

    expect(body.errors[0].extensions).toEqual({ type: 'permission_error', code: 'unauthorized', status: 401 });
  });

  const tooMuch: [string, string][] = [
    ['depth', `{ me { ${'tenant { users { edges { node { '.repeat(4)} id ${'} } } }'.repeat(4)} } }`],
    ['aliases', `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: health { status }`).join(' ')} }`],
    [
      'complexity',
      `{ me { tenant { users(first: 100) { edges { node { tenant { users(first: 100) { edges { node { id } } } } } } } } } }`,
    ],
  ];

  it.each(tooMuch)('refuses a query over the limit for its %s', async (limit, query) => {
    const { status, body } = await platform.graphql(query, {}, token);

    expect(status).toBe(400);
    expect(body.errors[0].message).toContain(limit);
    expect(body.errors[0].extensions).toMatchObject({ code: 'bad_request', status: 400 });
  });

  it('refuses batches', async () => {
    const { status } = await platform.request('POST', '/graphql', { body: [{ query: '{ health { status } }' }] });

    expect(status).toBe(400);
  });

  it('refuses a body that is no JSON, or too large, in its own error shape', async () => {
    const broken = await platform.request('POST', '/graphql', { body: '{"query' });
    const wrongType = await platform.request('POST', '/graphql', {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });

    expect([broken.status, broken.body.errors[0].extensions.code]).toEqual([400, 'bad_request']);
    expect([wrongType.status, wrongType.body.errors[0].extensions.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('answers references with a guarded resolver, and null where there is nothing to see', async () => {
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { email } ... on Model { id } } }';
    const me = (await platform.graphql('{ me { id } }', {}, token)).body.data.me.id as string;
    const of = [
      { __typename: 'User', id: me },
      { __typename: 'User', id: 'usr_01h45ytscbebyvny4gc8cr8ma2' },
      { __typename: 'User', id: 'nonsense' },
      { __typename: 'Model', id: 'builtin-extractive' },
    ];

    const known = await platform.graphql(query, { of }, token);
    const anonymous = await platform.graphql(query, { of: of.slice(0, 1) });

    expect(known.body.data._entities).toEqual([
      { email: platform.admin.email },
      null,
      null,
      { id: 'builtin-extractive' },
    ]);
    expect(anonymous.body.errors[0].extensions.code).toBe('unauthorized');
  });

  it('shows its schema in development and hides it in production', async () => {
    const production = await startPlatform({ NODE_ENV: 'production' });

    const shown = await platform.graphql('{ __schema { queryType { name } } _service { sdl } }');
    const introspection = await production.graphql('{ __schema { queryType { name } } }');
    const service = await production.graphql('{ _service { sdl } }');
    await production.close();

    expect(shown.body.data._service.sdl).toContain('type User');
    expect(introspection.status).toBe(400);
    expect([service.body.data, service.body.errors[0].extensions.status]).toEqual([null, 401]);
  });

  it('suggests names in development and keeps them to itself in production', async () => {
    const production = await startPlatform({ NODE_ENV: 'production' });
    const wrong = ['{ helth { status } }', '{ health { statu } }', 'query ($o: SortOrde) { models { id } }'];
    const messages = async (server: Platform) =>
      (await Promise.all(wrong.map((query) => server.graphql(query)))).map(({ body }) => body.errors[0].message);

    const [shown, hidden] = [await messages(platform), await messages(production)];
    const coerced = await production.graphql('query ($o: SortOrder) { apiTokens(order: $o) { totalCount } }', {
      o: 'aszc',
    });
    await production.close();

    expect(shown).toEqual(wrong.map(() => expect.stringContaining('Did you mean')));
    expect(hidden).toEqual(wrong.map(() => expect.not.stringMatching(/Did you mean|"health"|"status"/)));
    expect(coerced.body.errors[0].message).not.toMatch(/Did you mean/);
  });

  it('masks what went wrong inside', async () => {
    const other = await startPlatform();
    const { access_token } = await other.login();
    await other.query('ALTER TABLE quota_counters RENAME TO moved');

    const { body } = await other.graphql('{ quota { percentUsed } }', {}, access_token);
    await other.close();

    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(/could not answer/),
      extensions: { code: 'internal_error' },
    });
    expect(JSON.stringify(body)).not.toMatch(/relation|calls|stack/);
  });

  it('never reads credentials from cookies', async () => {
    const { body } = await platform.request('POST', '/graphql', {
      body: { query: '{ me { id } }' },
      headers: { cookie: `authorization=Bearer ${token}; access_token=${token}` },
    });

    expect(body.errors[0].extensions.code).toBe('unauthorized');
  });
});
