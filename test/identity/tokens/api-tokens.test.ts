import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiToken } from '../../../src/identity/tokens/api-token.entity.js';
import { addApiToken, addSignedInAdmin, addSignedInUser, rotateApiToken } from '../../support/builders/accounts.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const FOREIGN_ID = 'tok_01h455vb4pex5vsknk084sn02q';
const DAY_MS = 24 * 60 * 60 * 1_000;
const PATH = '/v1/api-tokens';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('personal access tokens', () => {
  const platform = usePlatform();
  const as = (token: string) => platform.as(token);
  let [owner, jwt]: [Client, string] = [] as never;

  beforeAll(async () => {
    jwt = (await platform.login()).access_token;
    owner = platform.as(jwt);
  });

  it('are made with everything that was asked for, and say where they are', async () => {
    const { status, body, headers } = await owner.post(PATH, {
      name: '  CI runner ',
      scopes: ['chat:write', 'models:read'],
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-z]{26}$/),
      object: 'api_token',
      name: 'CI runner',
      scopes: ['chat:write', 'models:read'],
      created_at: TIME,
      expires_at: TIME,
      last_used_at: null,
      rotated_at: null,
      revoked_at: null,
      token: expect.stringMatching(/^svc_tok_[0-9a-z]{26}\.[\w-]{43}$/),
    });
    expect(body.token).toContain(`svc_${body.id}.`);
    expect(headers.get('location')).toBe(`/v1/api-tokens/${body.id}`);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(90 * DAY_MS);
  });

  it.each([1, 365])('live for %d days where asked to', async (days) => {
    const { body } = await owner.post(PATH, { name: 'x', scopes: ['*'], expires_in_days: days });

    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(days * DAY_MS);
  });

  it('keep no secret in the database', async () => {
    const { id, token } = await addApiToken(platform, jwt);
    const secret = token.split('.')[1] ?? '';

    const row = await platform.app.database.dataSource.getRepository(ApiToken).findOneByOrFail({ id });

    expect(JSON.stringify(row)).not.toContain(secret);
    expect(platform.logLines.join('\n')).not.toContain(secret);
  });

  it.each<[string, unknown, string]>([
    ['without a name', { scopes: ['*'] }, 'name'],
    ['with an empty name', { name: ' ', scopes: ['*'] }, 'name'],
    ['with a long name', { name: 'x'.repeat(101), scopes: ['*'] }, 'name'],
    ['with a name of control characters', { name: 'a\u0000b', scopes: ['*'] }, 'name'],
    ['without scopes', { name: 'x' }, 'scopes'],
    ['with no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['with an unknown scope', { name: 'x', scopes: ['chat:write', 'chat:read'] }, 'scopes'],
    ['with a scope twice', { name: 'x', scopes: ['chat:write', 'chat:write'] }, 'scopes'],
    ['with a scope that is no text', { name: 'x', scopes: [7] }, 'scopes[0]'],
    ['for no day', { name: 'x', scopes: ['*'], expires_in_days: 0 }, 'expires_in_days'],
    ['for more than a year', { name: 'x', scopes: ['*'], expires_in_days: 366 }, 'expires_in_days'],
    ['for a part of a day', { name: 'x', scopes: ['*'], expires_in_days: 1.5 }, 'expires_in_days'],
    ['for a text', { name: 'x', scopes: ['*'], expires_in_days: '30' }, 'expires_in_days'],
  ])('are not made %s', async (_, body, field) => {
    const answer = await owner.post(PATH, body);

    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe(field);
    expect(answer.body.error.message).toContain(field);
  });

  it.each([-1, 86_401, 'soon', 0.5])('are not rotated with %j seconds of grace', async (grace_seconds) => {
    const { id } = await addApiToken(platform, jwt);

    const answer = await owner.post(`${PATH}/${id}/rotate`, { grace_seconds });

    expect([answer.status, answer.body.error.param]).toEqual([400, 'grace_seconds']);
    expect(answer.body.error.message).toMatch(/^grace_seconds/);
  });

  it('keep their end when they are rotated, and get another secret', async () => {
    const { body: made } = await owner.post(PATH, { name: 'x', scopes: ['quota:read'], expires_in_days: 7 });

    const { status, body } = await owner.post(`${PATH}/${made.id}/rotate`);

    expect(status).toBe(200);
    expect(body).toEqual({ ...made, rotated_at: TIME, token: expect.stringContaining(`svc_${made.id}.`) });
    expect(body.token).not.toBe(made.token);
  });

  it('show their text at no other time', async () => {
    const { id } = await addApiToken(platform, jwt);
    await rotateApiToken(platform, jwt, id);

    const { body: one } = await owner.get(`${PATH}/${id}`);
    const { body: all } = await owner.get(PATH);
    const { body: graphql } = await owner.graphql(`{ apiToken(id: "${id}") { id token } }`);

    expect(one.id).toBe(id);
    expect(one).not.toHaveProperty('token');
    expect(JSON.stringify(all)).not.toMatch(/token":|svc_/);
    expect(graphql.data.apiToken).toEqual({ id, token: null });
  });

  it('are listed page by page in both orders', async () => {
    const { token, ids } = await withTokens(5);
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

    const { body: first } = await as(token).get(`${PATH}?limit=3`);
    const { body: second } = await as(token).get(`${PATH}?limit=3&after=${first.next_cursor}`);
    const { body: oldest } = await as(token).get(`${PATH}?limit=2&order=asc`);
    const { body: next } = await as(token).get(`${PATH}?limit=2&order=asc&after=${oldest.next_cursor}`);

    expect(first).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) });
    expect(second).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect([...idsOf(oldest), ...idsOf(next)]).toEqual(ids.slice(0, 4));
  });

  it.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=101'],
    ['limit', '?limit=many'],
    ['after', '?after=x'],
    ['order', '?order=up'],
  ])('are refused for a %s that cannot be: %s', async (field, query) => {
    const { status, body } = await owner.get(`${PATH}${query}`);

    expect([status, body.error.param]).toEqual([400, field]);
    expect(body.error.message).toContain(field);
  });

  it('are an empty list for a user who has none', async () => {
    const { token } = await withTokens(0);

    expect((await as(token).get(PATH)).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });

  it('disappear when they are deleted', async () => {
    const { token, ids } = await withTokens(2);
    const [deleted = '', left] = ids;

    const answer = await as(token).delete(`${PATH}/${deleted}`);

    expect([answer.status, answer.body]).toEqual([204, '']);
    expect((await as(token).get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([left]);
    for (const gone of [
      await as(token).get(`${PATH}/${deleted}`),
      await as(token).post(`${PATH}/${deleted}/rotate`, {}),
      await as(token).delete(`${PATH}/${deleted}`),
    ]) {
      expect([gone.status, gone.body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it("are nobody else's, administrators included", async () => {
    const { token: colleague } = await addSignedInAdmin(platform);
    const { id, token } = await addApiToken(platform, jwt);
    const ids = [id, FOREIGN_ID, 'x', '%00', 'usr_01h455vb4pex5vsknk084sn02q'];

    const answers = await Promise.all(
      ids.flatMap((other) => [
        as(colleague).get(`${PATH}/${other}`),
        as(colleague).post(`${PATH}/${other}/rotate`, {}),
        as(colleague).delete(`${PATH}/${other}`),
      ]),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
    expect((await as(token).get('/v1/auth/me')).status).toBe(200);
  });

  it('cannot see, make or change personal access tokens themselves', async () => {
    const { id, token } = await addApiToken(platform, jwt);

    const answers = await Promise.all([
      as(token).post(PATH, { name: 'x', scopes: ['*'] }),
      as(token).get(PATH),
      as(token).get(`${PATH}/${id}`),
      as(token).post(`${PATH}/${id}/rotate`, {}),
      as(token).delete(`${PATH}/${id}`),
    ]);

    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });

  it('are not rotated once they have expired', async () => {
    const { id } = await addApiToken(platform, jwt);
    const tokens = platform.app.database.dataSource.getRepository(ApiToken);
    await tokens.update({ id }, { expiresAt: new Date(Date.now() - 1_000) });

    const { status, body } = await owner.post(`${PATH}/${id}/rotate`);

    expect([status, body.error.code]).toEqual([409, 'conflict']);
  });

  it('are the same in the graph', async () => {
    const { token } = await withTokens(0);
    const ask = async (query: string, variables = {}) => (await platform.graphql(query, variables, token)).body;

    const made = await ask(
      `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { id token scopes expiresAt } }`,
      { input: { name: 'x', scopes: ['*'], expiresInDays: 3 } },
    );
    const { id } = made.data.createApiToken;
    const listed = await ask(`{ apiTokens(first: 1, order: asc) {
      totalCount edges { cursor node { id name } } pageInfo { hasNextPage endCursor }
    } }`);
    const reference = await ask(
      `{ _entities(representations: [{ __typename: "ApiToken", id: "${id}" }, { __typename: "ApiToken", id: "x" }]) {
        ... on ApiToken { name }
      } }`,
    );
    const rotated = await ask(`mutation { rotateApiToken(id: "${id}", graceSeconds: 0) { id token rotatedAt } }`);
    const wrong = await ask(`mutation { rotateApiToken(id: "${id}", graceSeconds: -1) { id } }`);
    const deleted = await ask(`mutation { deleteApiToken(id: "${id}") { success } }`);

    expect(made.data.createApiToken).toMatchObject({ scopes: ['*'], token: expect.stringMatching(/^svc_/) });
    const [edge] = listed.data.apiTokens.edges;
    expect(listed.data.apiTokens).toEqual({
      totalCount: 1,
      edges: [{ cursor: edge.cursor, node: { id, name: 'x' } }],
      pageInfo: { hasNextPage: false, endCursor: edge.cursor },
    });
    expect(reference.data._entities).toEqual([{ name: 'x' }, null]);
    expect(rotated.data.rotateApiToken).toMatchObject({ id, rotatedAt: TIME });
    expect(wrong.errors[0].extensions).toMatchObject({ status: 400, param: 'graceSeconds' });
    expect(deleted.data.deleteApiToken).toEqual({ success: true });
    expect((await ask(`{ apiToken(id: "${id}") { id } }`)).errors[0].extensions.status).toBe(404);
  });

  /** The tokens of a user who has no other, the oldest first. */
  async function withTokens(count: number) {
    const { token } = await addSignedInUser(platform);
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push((await addApiToken(platform, token)).id);
    return { token, ids };
  }
});
