import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../../src/access/caller.js';
import { addApiToken, addSignedInUser } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('the scopes of personal access tokens', () => {
  const platform = usePlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
  let jwt: string;

  beforeAll(async () => {
    jwt = (await platform.login()).access_token;
  });

  it.each(SCOPES)('open with %s what asks for it, and what asks for none', async (scope) => {
    const { token } = await addApiToken(platform, jwt, [scope]);

    for (const { endpoint, rule, status } of await statuses(token)) {
      const needed = [rule?.scope, rule?.alsoScope].filter((name) => name !== undefined);
      const open = rule?.credential === 'bearer' && needed.every((name) => name === scope);
      const refusal = rule?.credential === 'service' ? 401 : 403;
      if (open) expect([endpoint, [401, 403].includes(status)]).toEqual([endpoint, false]);
      else expect([endpoint, status]).toEqual([endpoint, refusal]);
    }
  });

  it('open everything together, but what needs a sign-in or a service', async () => {
    for (const scopes of [['*'], [...SCOPES]]) {
      const { token } = await addApiToken(platform, jwt, scopes);

      const refused = (await statuses(token)).filter(({ status }) => status === 403 || status === 401);

      expect(refused.filter(({ rule }) => rule?.credential === 'bearer')).toEqual([]);
    }
  });

  it('are asked for by every operation but the one that tells who one is', () => {
    const without = platform.app.endpoints
      .filter(({ access }) => access.rule?.credential === 'bearer' && !access.rule.scope)
      .map(({ method, path }) => `${method} ${path}`);

    expect(without).toEqual(['GET /v1/auth/me']);
  });

  it('are asked for in the graph alike', async () => {
    const { token } = await addApiToken(platform, jwt, ['chat:write']);
    const statusOf = async (query: string) => {
      const { body } = await platform.graphql(query, {}, token);
      return body.errors?.[0].extensions.status ?? 200;
    };
    const { body: me } = await platform.request('GET', '/v1/auth/me', { token });
    const reference = (fields: string) =>
      `{ _entities(representations: [{ __typename: "User", id: "${me.id}" }]) { ... on User { ${fields} } } }`;

    expect(await statusOf('{ me { id tenant { name } } }')).toBe(200);
    expect(await statusOf(reference('id'))).toBe(200);
    expect(await statusOf('{ quota { percentUsed } }')).toBe(403);
    expect(await statusOf(reference('quota { percentUsed }'))).toBe(403);
    expect(await statusOf('{ me { tenant { users { edges { node { id } } } } } }')).toBe(403);
    expect(await statusOf('{ models { id } }')).toBe(403);
    expect(await statusOf('{ _entities(representations: [{ __typename: "Model", id: "x" }]) { __typename } }')).toBe(
      403,
    );
    expect(await statusOf('{ _entities(representations: [{ __typename: "ApiToken", id: "x" }]) { __typename } }')).toBe(
      403,
    );
  });

  it('add no privilege', async () => {
    const user = await addSignedInUser(platform);
    const { token } = await addApiToken(platform, user.token, ['admin:read', 'admin:write']);

    const administrative = (await statuses(token)).filter(({ rule }) => rule?.privilege);

    expect(administrative.length).toBeGreaterThan(0);
    expect(new Set(administrative.map(({ status }) => status))).toEqual(new Set([403]));
  });

  /** What every endpoint that needs a credential answers to a token. */
  function statuses(token: string) {
    return Promise.all(
      platform.app.endpoints
        .filter(({ access }) => access.rule)
        .map(async ({ method, path, access }) => {
          const body = method === 'GET' || method === 'DELETE' ? undefined : {};
          const url = path.replace(/\{\w+\}/g, 'ten_01h455vb4pex5vsknk084sn02q');
          const { status } = await platform.request(method, url, { token, body });
          return { endpoint: `${method} ${path}`, rule: access.rule, status };
        }),
    );
  }
});
