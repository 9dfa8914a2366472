import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenPair } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const QUERY =
  'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { email tenant { name } quota { percentUsed } } ... on Model { id } } }';

describe('references to entities', () => {
  const platform = usePlatform();
  let session: TokenPair;

  beforeAll(async () => {
    session = await platform.login();
  });

  it('are null where they are none, unknown or foreign, and leave their neighbours', async () => {
    const own = { __typename: 'User', id: session.user.id };
    const of = [
      [1],
      own,
      'text',
      7,
      { __typename: '__proto__', id: session.user.id },
      { __typename: 'constructor', id: session.user.id },
      { __typename: 'Nothing', id: session.user.id },
      { __typename: 'Query' },
      { __typename: 'User' },
      { __typename: 'User', id: 7 },
      { __typename: 'User', id: [session.user.id] },
      { __typename: 'User', id: 'usr_01h45ytscbebyvny4gc8cr8ma2' },
      { __typename: ['User'], id: session.user.id },
      { id: session.user.id },
      own,
    ];

    const { status, body } = await platform.graphql(QUERY, { of }, session.access_token);

    const found = { email: platform.admin.email, tenant: { name: 'Default' }, quota: { percentUsed: 0 } };
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
    expect(body.data._entities).toEqual(of.map((reference) => (reference === own ? found : null)));
  });

  /** The statements that the database is asked while something is done. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const sql: string[] = [];
    const { driver } = platform.app.database.dataSource;
    const query = driver.createQueryRunner('master');
    const prototype = Object.getPrototypeOf(query) as { query: (text: string, ...rest: unknown[]) => unknown };
    const original = prototype.query;
    await query.release();
    prototype.query = function (text, ...rest) {
      sql.push(text);
      return original.call(this, text, ...rest);
    };
    await work().finally(() => (prototype.query = original));
    return sql;
  }

  it('are read once for each type, with all that hangs below them', async () => {
    const of = Array.from({ length: 1_000 }, () => ({ __typename: 'User', id: session.user.id }));

    const sql = await statementsOf(async () => {
      const { body } = await platform.graphql(QUERY, { of }, session.access_token);
      expect(body.data._entities).toHaveLength(1_000);
      expect(body.errors).toBeUndefined();
    });

    expect(sql.filter((text) => /"users"|tenants|quota_counters/.test(text))).toHaveLength(3);
  });

  it('are read together with the edges that lead to the same entity', async () => {
    const { body: own } = await platform.graphql('{ me { tenant { id } } }', {}, session.access_token);
    const { id } = own.data.me.tenant;
    const query = `{
      _entities(representations: [{ __typename: "Tenant", id: "${id}" }]) { ... on Tenant { name } }
      me { tenant { name } }
    }`;

    const sql = await statementsOf(async () => {
      const { body } = await platform.graphql(query, {}, session.access_token);
      expect(body.data).toEqual({ _entities: [{ name: 'Default' }], me: { tenant: { name: 'Default' } } });
    });

    expect(sql.filter((text) => /"tenants"/.test(text))).toHaveLength(1);
  });

  it.each([
    ['in a variable', QUERY, 1_001],
    ['in a literal', '{ _entities(representations: [LITERAL]) { __typename } }', 1_001],
    [
      'over several fields',
      'query ($of: [_Any!]!) { a: _entities(representations: $of) { __typename } b: _entities(representations: $of) { __typename } }',
      501,
    ],
  ])('are at most 1,000 %s', async (_where, query, count) => {
    const of = Array.from({ length: count }, () => ({ __typename: 'User', id: session.user.id }));

    const document = query.replace('LITERAL', '{}'.repeat(count));
    const { status, body } = await platform.graphql(
      document,
      query.includes('LITERAL') ? {} : { of },
      session.access_token,
    );

    expect([status, body.errors[0].extensions.code]).toEqual([400, 'bad_request']);
    expect(body.errors[0].message).toContain('representations');
  });

  it('tell once for each type that it is not open to the caller', async () => {
    const of = Array.from({ length: 500 }, () => ({ __typename: 'User', id: session.user.id }));

    const { body } = await platform.graphql(QUERY, { of: [...of, { __typename: 'Model', id: 'm' }] });

    expect(body.errors.map(({ path }: { path: unknown[] }) => path)).toEqual([
      ['_entities', 0],
      ['_entities', 500],
    ]);
    expect(body.errors[0].extensions.code).toBe('unauthorized');
  });
});
