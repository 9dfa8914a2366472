import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a persisted query', () => {
  const platform = usePlatform();
  let admin: Client;

  beforeAll(async () => {
    admin = platform.as((await platform.login()).access_token);
  });

  it('is asked for by its hash once it was sent, over every form of HTTP', async () => {
    const query = '{ me { email } }';
    const extensions = extensionsOf(query);

    const unknown = await admin.post('/graphql', { extensions });
    const told = await admin.post('/graphql', { query, extensions });
    const known = await admin.post('/graphql', { extensions });
    const byGet = await admin.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`);
    const asEvents = await admin.post('/graphql', { extensions }, { headers: { accept: 'text/event-stream' } });

    expect(unknown.status).toBe(200);
    expect(unknown.body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
    const data = { data: { me: { email: platform.admin.email } } };
    expect([told.body, known.body, byGet.body]).toEqual([data, data, data]);
    expect(asEvents.body).toContain(JSON.stringify(data));
  });

  it('keeps its limits', async () => {
    const query =
      'query ($first: Int) { me { tenant { users(first: $first) { edges { node { tenant { users(first: $first) { edges { node { id } } } } } } } } } }';
    const extensions = extensionsOf(query);

    const small = await admin.post('/graphql', { query, extensions, variables: { first: 1 } });
    const large = await admin.post('/graphql', { extensions, variables: { first: 100 } });

    expect(small.body.errors).toBeUndefined();
    expect([large.status, large.body.errors[0].message]).toEqual([400, expect.stringContaining('complexity')]);
  });

  it.each([
    ['of another text', (query: string) => ({ query, extensions: extensionsOf('{ other }') })],
    [
      'of another version',
      (query: string) => ({
        query,
        extensions: { persistedQuery: { ...extensionsOf(query).persistedQuery, version: 2 } },
      }),
    ],
    ['that is none', (query: string) => ({ query, extensions: { persistedQuery: { version: 1, sha256Hash: '../' } } })],
    ['that is a list', (query: string) => ({ query, extensions: { persistedQuery: [] } })],
  ])('is refused with a hash %s', async (_what, bodyOf) => {
    const { status, body } = await admin.post('/graphql', bodyOf('{ health { status } }'));

    expect([status, body.errors[0].extensions.code]).toEqual([400, 'bad_request']);
  });

  it('takes no room from anything else, and so many a minute', async () => {
    const response = await admin.post('/v1/responses', {
      model: 'builtin-extractive',
      input: 'The office opens at nine. When?',
    });
    const queries = Array.from({ length: 200 }, (_, index) => `{ __typename } # ${index} ${'x'.repeat(20_000)}`);
    for (const query of queries) await admin.post('/graphql', { query, extensions: extensionsOf(query) });

    const continued = await admin.post(`/v1/responses/${response.body.id}/continue`, {
      model: 'builtin-extractive',
      input: 'And when does it open?',
    });
    const last = await admin.post('/graphql', { extensions: extensionsOf(queries.at(-1) as string) });

    expect(continued.status).toBe(200);
    expect(last.body.errors[0].message).toBe('PersistedQueryNotFound');
  });

  it('is not stored for those who have no credential', async () => {
    const query = '{ health { version } }';
    const extensions = extensionsOf(query);

    const told = await platform.request('POST', '/graphql', { body: { query, extensions } });
    const later = await platform.request('POST', '/graphql', { body: { extensions } });

    expect(told.body.errors).toBeUndefined();
    expect(later.body.errors[0].message).toBe('PersistedQueryNotFound');
  });

  function extensionsOf(query: string) {
    return {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    };
  }
});
