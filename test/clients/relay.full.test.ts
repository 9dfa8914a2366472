import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Sink } from 'graphql-ws';
import {
  commitMutation,
  ConnectionHandler,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getFragment,
  getRequest,
  getSingularSelector,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime';
import type { GraphQLResponse, MutationParameters } from 'relay-runtime';
import { CHAT } from '../support/builders/chat-request.js';
import { wsClient } from '../support/builders/graphql-clients.js';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import { stream, wholeStream } from '../support/servers/scripted-backend.js';
import { clientTitle } from './client-title.js';
import { CompiledDocuments } from './relay-documents.js';
import type { AnyJson } from '../support/probes/any-json.js';

describe(clientTitle('relay-runtime'), () => {
  let documents: CompiledDocuments;
  let gateway: Gateway;
  let socket: Client;
  let environment: Environment;

  beforeAll(async () => {
    [documents, gateway] = [CompiledDocuments.compile(), await startGateway()];
    socket = wsClient({ url: gateway.platform.url, token: gateway.token });
    environment = new Environment({ network: network(), store: new Store(new RecordSource()) });
  });
  afterAll(() => Promise.all([socket.dispose(), gateway.close(), documents.close()]));

  it('queries, compiled by relay-compiler against the committed schema', async () => {
    const { me } = await ask('tokensQuery');

    expect(me).toMatchObject({ email: gateway.platform.admin.email });
  });

  it('pages (@refetchable, @connection), and mutations into a page', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    await ask('tokensQuery');
    environment.retain(createOperationDescriptor(getRequest(documents.get('tokensQuery')), {}));
    const firstPage = shownNames();

    await ask('tokensPageQuery', { count: 2, cursor: shownPage().apiTokens.pageInfo.endCursor });
    const bothPages = shownNames();
    await create('d');

    expect([firstPage, bothPages]).toEqual([
      ['c', 'b'],
      ['c', 'b', 'a'],
    ]);
    expect(shownNames()).toEqual(['d', 'c', 'b', 'a']);
  });

  it('breaks by itself: tells an error of a field (@throwOnFieldError) without its code', async () => {
    await expect(ask('tokensModelQuery')).rejects.toThrow('Unexpected response payload');
  });

  it('subscriptions', async () => {
    gateway.backend.answer(stream(...wholeStream('Hel', 'lo!')));

    let text = '';
    await new Promise<void>((resolve, reject) => {
      requestSubscription<Operation>(environment, {
        subscription: documents.get('tokensChatSubscription'),
        variables: { body: CHAT },
        onNext: (data: AnyJson) => (text += data.chatCompletionStream.choices[0]?.delta.content ?? ''),
        onError: reject,
        onCompleted: resolve,
      });
    });

    expect(text).toBe('Hello!');
  });

  /** Queries and mutations go over HTTP, subscriptions over the socket. */
  function network() {
    return Network.create(
      async ({ text: query }, variables) => (await gateway.graphql(query ?? '', variables)).body as GraphQLResponse,
      ({ text: query }, variables) =>
        Observable.create<GraphQLResponse>((sink) =>
          socket.subscribe({ query: query ?? '', variables }, sink as unknown as Sink),
        ),
    );
  }

  function ask(name: string, variables: object = {}): Promise<AnyJson> {
    return fetchQuery<Operation>(environment, documents.get(name), variables, {
      fetchPolicy: 'network-only',
    }).toPromise();
  }

  function create(name: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const connections = [ConnectionHandler.getConnectionID('client:root', 'tokens_apiTokens')];
      commitMutation<Operation>(environment, {
        mutation: documents.get('tokensCreateMutation'),
        variables: { input: { name, scopes: ['*'] }, connections },
        onCompleted: (_data, errors) => (errors?.length ? reject(errors[0] as never) : resolve(undefined)),
        onError: reject,
      });
    });
  }

  /** What a component with the fragment of the page would show. */
  function shownPage(): AnyJson {
    const operation = createOperationDescriptor(getRequest(documents.get('tokensQuery')), {});
    const { data } = environment.lookup(operation.fragment);
    const selector = getSingularSelector(getFragment(documents.get('tokens_page')), data);
    return environment.lookup(selector as never).data;
  }

  function shownNames(): string[] {
    return shownPage().apiTokens.edges.map((edge: AnyJson) => edge.node.name);
  }
});

interface Operation extends MutationParameters {
  readonly variables: AnyJson;
  readonly response: AnyJson;
}
