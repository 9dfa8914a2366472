import { beforeAll, describe, expect, it } from '@jest/globals';
import { ClientError, GraphQLClient } from 'graphql-request';
import { clientTitle } from './client-title.js';
import { useGateway } from '../support/servers/use-servers.js';

describe(clientTitle('graphql-request'), () => {
  const gateway = useGateway();
  let client: GraphQLClient;

  beforeAll(async () => {
    client = new GraphQLClient(`${gateway.platform.url}/graphql`, {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
  });

  it('queries', async () => {
    expect(await client.request('{ me { email } }')).toEqual({ me: { email: gateway.platform.admin.email } });
  });

  it('mutations', async () => {
    const data = await client.request<{ createApiToken: { name: string } }>(
      'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { name } }',
      { input: { name: 'requested', scopes: ['*'] } },
    );

    expect(data.createApiToken.name).toBe('requested');
  });

  it('errors, with type, code and status', async () => {
    const error = await client.request('{ model(id: "none") { id } }').catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ClientError);
    expect((error as ClientError).response.errors?.[0]?.extensions).toMatchObject({
      type: 'not_found_error',
      code: 'model_not_found',
      status: 404,
    });
  });
});
