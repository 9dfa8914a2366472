import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addSignedInUser, addTenant, defaultTenantId } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('users in the graph', () => {
  const platform = usePlatform();
  let tenantId: string;
  let members: SignedInUser[];
  let tokens: { admin: string; user: string; stranger: string };

  beforeAll(async () => {
    await addMembers();
  });

  it('are listed page by page, the youngest first', async () => {
    const { users: first } = await page({ first: 3 });
    const { users: second } = await page({ first: 3, after: first.pageInfo.endCursor });

    const ids = [...first.edges, ...second.edges].map((edge: { node: { id: string } }) => edge.node.id);
    expect(ids).toEqual(members.map(({ id }) => id).reverse());
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(first.pageInfo.endCursor).toBe(first.edges[2].cursor);
    expect([first.totalCount, second.totalCount]).toEqual([5, 5]);
    expect(first.edges[0].node.tenant.id).toBe(tenantId);
  });

  it('are listed the oldest first where asked to', async () => {
    const { users: first } = await page({ first: 3, order: 'asc' });
    const { users: second } = await page({ first: 3, order: 'asc', after: first.pageInfo.endCursor });

    const ids = [...first.edges, ...second.edges].map((edge: { node: { id: string } }) => edge.node.id);
    expect(ids).toEqual(members.map(({ id }) => id));
  });

  it('are an empty page behind the last one', async () => {
    const { users } = await page({});
    const { users: behind } = await page({ after: users.pageInfo.endCursor });

    expect(behind).toEqual({ totalCount: 5, edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  it.each([{ first: 0 }, { first: -1 }, { first: 101 }, { after: 'x' }, { after: '' }, { after: 'AAAA' }])(
    'are refused for the page %j',
    async (variables) => {
      const { error } = await page(variables);

      expect(error).toMatchObject({ status: 400, param: Object.keys(variables)[0] });
    },
  );

  it('are listed for administrators alone', async () => {
    const nested = '{ me { tenant { name users { edges { node { email } } } } } }';

    const [byUser, byStranger] = [await page({}, tokens.user), await page({}, tokens.stranger)];
    const { body } = await platform.graphql(nested, {}, tokens.user);

    expect([byUser.error.status, byStranger.error.status]).toEqual([403, 404]);
    expect(body.errors[0].extensions.status).toBe(403);
    expect(JSON.stringify(body)).not.toContain('@example.test');
  });

  it('know their tenant', async () => {
    const { body } = await platform.graphql('{ me { id tenant { id name plan } } }', {}, tokens.user);

    expect(body.data.me).toEqual({ id: members[1]?.id, tenant: { id: tenantId, name: 'Other', plan: 'free' } });
  });

  it('have no field that would give away a secret', async () => {
    const { body } = await platform.graphql('{ me { passwordHash } }', {}, tokens.user);

    expect(body.errors[0].extensions.status).toBe(400);
  });

  it.each<[string, 'admin' | 'user' | 'stranger' | undefined, boolean]>([
    ['User', 'user', true],
    ['User', 'admin', true],
    ['User', 'stranger', false],
    ['Tenant', 'user', true],
    ['Tenant', 'stranger', false],
  ])('as a reference: %s asked for by the %s', async (type, who, seen) => {
    const id = type === 'User' ? members[1]?.id : tenantId;

    const { body } = await platform.graphql(ENTITY, { type, id }, who && tokens[who]);

    expect(body.data._entities).toEqual([seen ? { __typename: type } : null]);
  });

  it('are no reference for a colleague, an anonymous caller or an id that is none', async () => {
    const colleague = await platform.graphql(ENTITY, { type: 'User', id: members[2]?.id }, tokens.user);
    const strange = await platform.graphql(ENTITY, { type: 'User', id: 'a\0b' }, tokens.admin);
    const anonymous = await platform.graphql(ENTITY, { type: 'User', id: members[2]?.id });

    expect(colleague.body.data._entities).toEqual([null]);
    expect(strange.body).toEqual({ data: { _entities: [null] } });
    expect(anonymous.body.errors[0].extensions.status).toBe(401);
  });

  it('belong to the default tenant when it made them', async () => {
    const { access_token } = await platform.login();

    const { body } = await platform.graphql('{ me { tenant { id } } }', {}, access_token);

    expect(body.data.me.tenant.id).toBe(await defaultTenantId(platform));
  });

  /** An administrator and four users of one tenant, and a stranger. */
  async function addMembers(): Promise<void> {
    tenantId = await addTenant(platform);
    members = [await addSignedInAdmin(platform, tenantId)];
    while (members.length < 5) members.push(await addSignedInUser(platform, tenantId));
    const [admin, user] = members as [SignedInUser, SignedInUser];
    const stranger = await addSignedInAdmin(platform, await addTenant(platform));
    tokens = { admin: admin.token, user: user.token, stranger: stranger.token };
  }

  async function page(variables: object, token = tokens.admin) {
    const { body } = await platform.graphql(PAGE, { id: tenantId, ...variables }, token);
    return { users: body.data?.tenant?.users, error: body.errors?.[0]?.extensions };
  }
});

const PAGE = `query ($id: ID!, $first: Int, $after: String, $order: SortOrder) {
  tenant(id: $id) { users(first: $first, after: $after, order: $order) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id tenant { id } } }
  } }
}`;
const ENTITY =
  'query ($type: String!, $id: ID!) { _entities(representations: [{ __typename: $type, id: $id }]) { __typename } }';
