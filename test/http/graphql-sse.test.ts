import { describe, expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

describe('GraphQL over Server-Sent Events', () => {
  const headers = { accept: 'text/event-stream' };
  const platform = usePlatform();

  it.each([
    ['no query', {}],
    ['a query that is no text', { query: 5 }],
    ['a query that cannot be parsed', { query: '{' }],
    ['an operation that is not there', { query: '{ health { status } }', operationName: 'Other' }],
    ['variables that are no object', { query: '{ health { status } }', variables: [] }],
  ])('refuses %s before the stream, with the three fields of an error', async (_what, body) => {
    const answer = await platform.request('POST', '/graphql', { body, headers });

    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions).toEqual({
      type: 'invalid_request_error',
      code: 'bad_request',
      status: 400,
    });
  });

  it('refuses a mutation by GET, and tells the method', async () => {
    const query = encodeURIComponent('mutation { logout { success } }');

    const answer = await platform.request('GET', `/graphql?query=${query}`, { headers });

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.body.errors[0].extensions.code).toBe('method_not_allowed');
  });

  it('answers a query as events', async () => {
    const answer = await platform.request('POST', '/graphql', { body: { query: '{ health { status } }' }, headers });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(answer.body).toContain('data: {"data":{"health":{"status":"ok"}}}');
    expect(answer.body).toContain('event: complete');
  });
});
