import { beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/servers/platform.js';
import type { Client, RestAnswer } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const CHAT = { model: 'builtin-extractive', messages: [{ role: 'user', content: 'Hello there.' }] };

describe('the request limit', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '4' });
  let admin: Client;

  beforeAll(async () => {
    admin = platform.as((await platform.login()).access_token);
  });

  const chat = (): Promise<RestAnswer> => admin.post('/v1/chat/completions', CHAT);

  it('counts a user over all tokens and over REST and GraphQL, and tells when to come back', async () => {
    const other = (await platform.login()).access_token;

    const first = await chat();
    const graphql = await platform.graphql(
      'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }',
      { body: CHAT },
      other,
    );
    const invalid = await admin.post('/v1/chat/completions', '{');
    const streamed = await platform.as(other).post('/v1/chat/completions', { ...CHAT, stream: true });
    const refused = await chat();
    const refusedInGraphql = await admin.graphql(
      'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }',
      { body: CHAT },
    );
    const refusedStream = await admin.post(
      '/graphql',
      {
        query: 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { id } }',
        variables: { body: CHAT },
      },
      { headers: { accept: 'text/event-stream' } },
    );

    const remaining = [first, graphql, invalid, streamed].map((answer) =>
      answer.headers.get('x-ratelimit-remaining-requests'),
    );
    expect(remaining).toEqual(['3', '2', '1', '0']);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({ type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' });
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('4');
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('x-ratelimit-reset-requests')).toBe(refused.headers.get('retry-after'));
    expect(refusedInGraphql.body.errors[0].extensions).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    for (const { headers } of [refusedInGraphql, refusedStream]) {
      expect(headers.get('x-ratelimit-limit-requests')).toBe('4');
      expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
      expect(headers.get('x-ratelimit-reset-requests')).toBe(headers.get('retry-after'));
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  it('counts what is answered again, and nothing that is refused, the same through both transports', async () => {
    const counting = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '100' });
    const as = (await counting.login()).access_token;
    const query = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }';
    const ask = (path: string, body: object) =>
      counting.as(as).post(path, body, { headers: { 'idempotency-key': 'the-same-key-for-all' } });
    const answers = [];
    for (const temperature of [0, 0, 1]) {
      answers.push(await ask('/v1/chat/completions', { ...CHAT, temperature }));
      answers.push(await ask('/graphql', { query, variables: { body: { ...CHAT, temperature } } }));
    }
    await counting.close();

    const codes = answers.map(({ body }) => body.error?.code ?? body.errors?.[0].extensions.code);
    const left = answers.slice(0, 4).map(({ headers }) => headers.get('x-ratelimit-remaining-requests'));
    expect(codes.slice(4)).toEqual(['idempotency_mismatch', 'idempotency_mismatch']);
    expect(left).toEqual(['99', '98', '97', '96']);
    // The first mismatch was given back before the second.
    expect(answers[5]?.headers.get('x-ratelimit-remaining-requests')).toBe('95');
    expect(answers[5]?.headers.get('x-should-retry')).toBe('false');
  });

  it('does not count what is no model call', async () => {
    const { status, headers } = await admin.get('/v1/models');

    expect([status, headers.get('x-ratelimit-limit-requests')]).toEqual([200, null]);
  });

  it('has no headers where there is no limit', async () => {
    const unlimited = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });

    const { status, headers } = await unlimited.request('POST', '/v1/chat/completions', {
      token: (await unlimited.login()).access_token,
      body: CHAT,
    });
    await unlimited.close();

    expect([status, headers.get('x-ratelimit-limit-requests')]).toEqual([200, null]);
  });
});
