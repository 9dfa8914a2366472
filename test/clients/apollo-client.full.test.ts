import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import type { Client } from 'graphql-ws';
import { CHAT } from '../support/builders/chat-request.js';
import { wsClient } from '../support/builders/graphql-clients.js';
import { stream, wholeStream } from '../support/servers/scripted-backend.js';
import { CHAT_STREAM, CREATE_TOKEN, ME, TOKENS } from './apollo-documents.js';
import { clientTitle } from './client-title.js';
import { expectNoSecondRun } from './revoked-stream.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { useGateway } from '../support/servers/use-servers.js';

describe(clientTitle('@apollo/client'), () => {
  const gateway = useGateway();
  const seen: { method: string; body: string; url: string }[] = [];

  it('queries, with a normalized cache', async () => {
    const apollo = client();

    const { data } = await apollo.query<AnyJson>({ query: ME });
    const cached = apollo.cache.extract() as AnyJson;

    expect(data.me).toMatchObject({ email: gateway.platform.admin.email, quota: { percentUsed: 0 } });
    expect(cached[`User:${data.me.id}`]).toMatchObject({ email: data.me.email });
    expect(cached[`Quota:${data.me.quota.id}`]).toMatchObject({ percentUsed: 0 });
  });

  it('errors, with type, code and status', async () => {
    const query = gql`query { model(id: "none") { id } me { email } }`;

    const refused = await client()
      .query({ query })
      .catch((error: unknown) => error);
    const partial = await client().query<AnyJson>({ query, errorPolicy: 'all' });
    const anonymous = await client(http('not.a.token'))
      .query({ query: ME })
      .catch((error: unknown) => error);

    expect(CombinedGraphQLErrors.is(refused)).toBe(true);
    expect((refused as CombinedGraphQLErrors).errors[0]?.extensions).toMatchObject({
      code: 'model_not_found',
      status: 404,
    });
    expect(partial.data).toMatchObject({ model: null, me: { email: gateway.platform.admin.email } });
    expect(CombinedGraphQLErrors.is(anonymous)).toBe(true);
    expect((anonymous as CombinedGraphQLErrors).errors[0]?.extensions).toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
  });

  it('mutations', async () => {
    const { data } = await client().mutate<AnyJson>({
      mutation: CREATE_TOKEN,
      variables: { input: { name: 'mutated', scopes: ['models:read'] } },
    });

    expect(data.createApiToken).toMatchObject({ id: expect.stringMatching(/^tok_/), name: 'mutated' });
  });

  it('pages (relayStylePagination)', async () => {
    const apollo = client();
    for (const name of ['a', 'b', 'c']) {
      await apollo.mutate({ mutation: CREATE_TOKEN, variables: { input: { name, scopes: ['*'] } } });
    }
    const watched = apollo.watchQuery<AnyJson>({ query: TOKENS });

    const watching = watched.subscribe(() => undefined);

    const { data } = await watched.refetch();
    await watched.fetchMore({ variables: { after: data.apiTokens.pageInfo.endCursor } });
    watching.unsubscribe();
    const connection = (apollo.readQuery({ query: TOKENS }) as AnyJson).apiTokens;

    const names = connection.edges.map((edge: AnyJson) => edge.node.name);
    expect(names.slice(0, 3)).toEqual(['c', 'b', 'a']);
    expect(names).toHaveLength(Math.min(4, connection.totalCount));
  });

  it.each([false, true])('persisted queries (by GET: %s)', async (useGETForHashedQueries) => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const persisted = createPersistedQueryLink({ sha256, useGETForHashedQueries });
    const query = gql(`query Persisted${useGETForHashedQueries} { me { email } }`);
    seen.length = 0;

    const ask = () => client(ApolloLink.from([persisted, http()])).query<AnyJson>({ query });
    const [first, second] = [await ask(), await ask()];

    expect([first.data, second.data]).toEqual([first.data, first.data]);
    expect(first.data.me.email).toBe(gateway.platform.admin.email);
    expect(seen.map(({ body, url }) => (body + decodeURIComponent(url)).includes('query Persisted'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(seen[0]?.method).toBe(useGETForHashedQueries ? 'GET' : 'POST');
  });

  it('subscriptions (GraphQLWsLink)', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));
    const socket = sockets();

    let text = '';
    await new Promise<void>((complete, error) => {
      client(new GraphQLWsLink(socket))
        .subscribe<AnyJson>({ query: CHAT_STREAM, variables: { body: CHAT } })
        .subscribe({
          next: ({ data }) => (text += data.chatCompletionStream.choices[0]?.delta.content ?? ''),
          error,
          complete,
        });
    });
    await socket.dispose();

    expect(text).toBe('Hello!');
  });

  it('a revoked token ends a subscription, once', async () => {
    let socket: Client | undefined;

    await expectNoSecondRun(gateway, (token, { next, ended }) => {
      socket = sockets(token);
      client(new GraphQLWsLink(socket))
        .subscribe<AnyJson>({ query: CHAT_STREAM, variables: { body: CHAT } })
        .subscribe({ next: ({ error }) => (error ? ended(error) : next()), error: ended, complete: () => ended() });
    });
    await socket?.dispose();
  });

  function http(token = gateway.token) {
    return new HttpLink({
      uri: `${gateway.platform.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      fetch: (url, init) => {
        seen.push({ method: init?.method ?? 'GET', body: String(init?.body ?? ''), url: String(url) });
        return fetch(url, init);
      },
    });
  }

  function client(link: ApolloLink = http()) {
    const typePolicies = { Query: { fields: { apiTokens: relayStylePagination() } } };
    return new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
  }

  function sockets(token = gateway.token): Client {
    return wsClient({ url: gateway.platform.url, token });
  }
});
