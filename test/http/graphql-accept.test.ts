import { beforeAll, describe, expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

/** What urql sends with everything. */
const URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
const QUERY = '{ health { status } }';

describe('what a GraphQL client accepts', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it.each([
    ['nothing', undefined, 'application/json'],
    ['anything', '*/*', 'application/json'],
    ['JSON', 'application/json', 'application/json'],
    ['the newer JSON', 'application/graphql-response+json', 'application/graphql-response+json'],
    ['what urql does', URQL, 'application/graphql-response+json'],
    ['JSON rather than events', 'text/event-stream;q=0.5, application/json', 'application/json'],
    ['events rather than JSON', 'text/event-stream, application/json;q=0.9', 'text/event-stream'],
    ['events', 'text/event-stream', 'text/event-stream'],
  ])('decides the form of a query: %s', async (_what, accept, type) => {
    const headers = accept === undefined ? { accept: '' } : { accept };

    const answer = await platform.request('POST', '/graphql', { body: { query: QUERY }, headers });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(JSON.stringify(answer.body)).toContain('ok');
  });

  it('is refused with 406 where nothing can be answered', async () => {
    const answer = await platform.request('POST', '/graphql', {
      body: { query: QUERY },
      headers: { accept: 'image/png' },
    });

    expect([answer.status, answer.body.errors[0].extensions]).toEqual([
      406,
      { type: 'invalid_request_error', code: 'not_acceptable', status: 406 },
    ]);
  });

  it.each([['text/event-stream'], [URQL]])('gets a subscription as events: %s', async (accept) => {
    const controller = new AbortController();
    const response = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: 'subscription { quotaUpdated { percentUsed } }' }),
      signal: controller.signal,
    });

    let text = '';
    for await (const piece of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(piece).toString();
      if (text.includes('percentUsed')) break;
    }
    controller.abort();

    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(text).toContain('percentUsed');
  });

  it.each([['application/json'], ['*/*'], ['text/event-stream;q=0, application/json']])(
    'is told how to subscribe where it does not accept events: %s',
    async (accept) => {
      const answer = await platform.request('POST', '/graphql', {
        token,
        body: { query: 'subscription { quotaUpdated { percentUsed } }' },
        headers: { accept },
      });

      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'bad_request']);
      expect(answer.body.errors[0].message).toMatch(/graphql-sse.*graphql-ws/);
      expect(platform.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    },
  );

  it('is told which methods there are', async () => {
    const byPut = await platform.request('PUT', '/graphql', { body: { query: QUERY } });
    const mutation = await platform.request(
      'GET',
      `/graphql?query=${encodeURIComponent('mutation { logout(accessToken: "", refreshToken: "") { success } }')}`,
    );

    expect([byPut.status, byPut.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
