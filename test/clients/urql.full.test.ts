import { describe, expect, it } from '@jest/globals';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import type { Exchange, OperationResult } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { CHAT } from '../support/builders/chat-request.js';
import { sseClient, wsClient } from '../support/builders/graphql-clients.js';
import { chunk, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';
import { expectNoSecondRun } from './revoked-stream.js';

const CHAT_STREAM =
  'subscription ($body: JSON!) { chatCompletionStream(body: $body) { choices { delta { content } } } }';

describe(clientTitle('@urql/core'), () => {
  const gateway = useGateway();
  const seen: { url: string; init: RequestInit | undefined }[] = [];

  it('queries, with its own Accept', async () => {
    seen.length = 0;

    const { data, error } = await client().query('{ me { email quota { percentUsed } } }', {});

    expect(error).toBeUndefined();
    expect(data.me).toMatchObject({ email: gateway.platform.admin.email, quota: { percentUsed: 0 } });
    expect(new Headers(seen[0]?.init?.headers).get('accept')).toContain('text/event-stream');
  });

  it('queries by GET', async () => {
    seen.length = 0;

    const { data } = await client(undefined, { preferGetMethod: true }).query('{ me { email } }', {});

    expect(data.me.email).toBe(gateway.platform.admin.email);
    expect(seen[0]?.init?.method).toBe('GET');
  });

  it('errors, with type, code and status', async () => {
    const partial = await client().query('{ model(id: "none") { id } me { email } }', {});
    const anonymous = await client(undefined, {}, 'not.a.token').query('{ me { email } }', {});
    const invalid = await client().query('{ nonsense }', {});

    expect(partial.error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'model_not_found', status: 404 });
    expect(partial.data?.me.email).toBe(gateway.platform.admin.email);
    expect(anonymous.error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'unauthorized' });
    expect(invalid.error?.graphQLErrors[0]?.message).toContain('nonsense');
  });

  it('mutations', async () => {
    const { data } = await client().mutation(
      'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { id } }',
      { input: { name: 'urql', scopes: ['*'] } },
    );

    expect(data.createApiToken.id).toMatch(/^tok_/);
  });

  it.each([false, 'force' as const])('persisted queries (@urql/exchange-persisted, by GET: %s)', async (byGet) => {
    const persisted = () =>
      client([persistedExchange({ preferGetForPersistedQueries: byGet, enableForMutation: true }), fetchExchange]);
    const query = `query Persisted_${byGet} { me { email } }`;
    seen.length = 0;

    const [first, second] = [await persisted().query(query, {}), await persisted().query(query, {})];

    expect([first.error, second.error]).toEqual([undefined, undefined]);
    expect(second.data).toEqual(first.data);
    expect(seen.map(({ url, init }) => `${url}${init?.body ?? ''}`.includes('email'))).toEqual([false, true, false]);
  });

  it('subscriptions (graphql-ws)', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));
    const { socket, exchange } = wsExchange();

    const text = await textOf(client([exchange]));
    await socket.dispose();

    expect(text).toBe('Hello!');
  });

  it('subscriptions (graphql-sse)', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));

    expect(await textOf(client([sseExchange()]))).toBe('Hello!');
  });

  it('subscriptions (its own fetchSubscriptions)', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));

    expect(await textOf(client([fetchExchange], { fetchSubscriptions: true }))).toBe('Hello!');
  });

  it('stops the model when it leaves', async () => {
    gateway.backend.answer(hanging(chunk({ content: 'Hel' })));
    const received = gateway.backend.nextRequest();
    const first = Promise.withResolvers<void>();

    const { unsubscribe } = client([fetchExchange], { fetchSubscriptions: true })
      .subscription(CHAT_STREAM, { body: CHAT })
      .subscribe(() => first.resolve());
    await first.promise;
    const { gone } = await received;
    const before = await Promise.race([gone, 'open']);
    unsubscribe();

    expect(before).toBe('open');
    await expect(gone).resolves.toBeUndefined();
  });

  it('a revoked token ends a subscription, once', async () => {
    let dispose: (() => unknown) | undefined;

    await expectNoSecondRun(gateway, (token, { next, ended }) => {
      const { socket, exchange } = wsExchange(token);
      dispose = () => socket.dispose();
      client([exchange])
        .subscription(CHAT_STREAM, { body: CHAT })
        .subscribe(({ error }) => (error ? ended(error.graphQLErrors) : next()));
    });
    await dispose?.();
  });

  function client(exchanges: Exchange[] = [fetchExchange], options: object = {}, token = gateway.token) {
    return new Client({
      url: `${gateway.platform.url}/graphql`,
      exchanges,
      preferGetMethod: false,
      fetchOptions: { headers: { authorization: `Bearer ${token}` } },
      fetch: (url, init) => {
        seen.push({ url: String(url), init });
        return fetch(url, init);
      },
      ...options,
    });
  }

  function wsExchange(token = gateway.token) {
    const socket = wsClient({ url: gateway.platform.url, token });
    const exchange = subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: socket.subscribe({ query: query ?? '', variables: variables as never }, sink as never),
        }),
      }),
    });
    return { socket, exchange };
  }

  function sseExchange() {
    const source = sseClient({ url: gateway.platform.url, token: gateway.token });
    return subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: source.subscribe({ query: query ?? '', variables: variables as never }, sink as never),
        }),
      }),
    });
  }

  /** Gathers the text of a stream until it ends. */
  function textOf(urql: Client): Promise<string> {
    let text = '';
    return new Promise((resolve, reject) => {
      urql.subscription(CHAT_STREAM, { body: CHAT }).subscribe((result: OperationResult) => {
        if (result.error) reject(result.error);
        text += result.data?.chatCompletionStream.choices[0]?.delta.content ?? '';
        if (!result.hasNext || text.endsWith('!')) resolve(text);
      });
    });
  }
});
