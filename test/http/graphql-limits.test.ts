import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RestAnswer } from '../support/servers/platform.js';
import { graphqlFloods, manyVariables } from '../support/builders/graphql-floods.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a GraphQL operation of anyone', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
    await platform.graphql('{ health { status } }');
  });
  const BAD_REQUEST = [400, { type: 'invalid_request_error', code: 'bad_request', status: 400 }];

  it.each(graphqlFloods())('is refused with 400: %s', async (_what, query) => {
    expect(refusal(await platform.graphql(query))).toEqual(BAD_REQUEST);
  });

  it.each([
    [1_600, 400],
    [50, 200],
    [1, 200],
  ])('may have many variables: %d operations with 5,500 of them', async (operations, expected) => {
    const { status } = await platform.request('POST', '/graphql', { token, body: manyVariables(operations, 5_500) });

    expect(status).toBe(expected);
  });

  it('may have 64 KiB without a credential, and more with one', async () => {
    const query = `{ health { status } } # ${'x'.repeat(70_000)}`;

    const [anonymous, known] = [await platform.graphql(query), await platform.graphql(query, {}, token)];

    expect(refusal(anonymous)[0]).toBe(413);
    expect(known.body).toEqual({ data: { health: { status: 'ok' } } });
  });

  it('is refused where its text is longer than 256 KiB', async () => {
    const { status, body } = await platform.graphql(`{ health { status } } # ${'x'.repeat(300_000)}`, {}, token);

    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('characters')]);
  });

  it.each([
    ['a variable', 'query ($first: Int) { PAGES }', { first: 100 }],
    ['the default of a variable', 'query ($first: Int = 100) { PAGES }', {}],
    ['a literal', 'query ($first: Int = 1) { __typename PAGES }'.replace('PAGES', 'LITERAL'), {}],
  ])('costs by the size of its pages: %s', async (_what, query, variables) => {
    const nested = (first: string): string =>
      `me { tenant { users(first: ${first}) { edges { node { tenant { users(first: ${first}) { edges { node { id } } } } } } } } }`;
    const large = query.replace('PAGES', nested('$first')).replace('LITERAL', nested('100'));

    const refused = await platform.graphql(large, variables, token);
    const small = await platform.graphql(`query ($first: Int) { ${nested('$first')} }`, { first: 2 }, token);

    expect(refused.body.errors[0].message).toMatch(/complexity|first/);
    expect(refused.status).toBe(400);
    expect(small.body.errors).toBeUndefined();
  });

  it('may ask for its schema as tools do, many fields, and one fragment in many places', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const places = many(12, (n) => `a${n}: me { ...f }`);

    const introspection = await platform.graphql(getIntrospectionQuery());
    const fragments = await platform.graphql(
      `{ ${places} } fragment f on User { id email tenant { id name } }`,
      {},
      token,
    );

    expect(introspection.body.errors).toBeUndefined();
    expect(fragments.body.errors).toBeUndefined();
  });

  it('takes JSON of 64 levels in variables and literals, and refuses deeper ones', async () => {
    const query = 'mutation ($body: JSON!) { createResponse(body: $body) { id } }';
    const deep = (levels: number): object =>
      Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
    const body = (levels: number) => ({ model: 'builtin-extractive', input: 'Hello.', metadata: deep(levels) });

    const fits = await platform.graphql(query, { body: body(50) }, token);
    const variable = await platform.graphql(query, { body: body(200) }, token);
    const byGet = await platform.request(
      'GET',
      `/graphql?query=${encodeURIComponent('query ($v: JSON) { health { status } }')}&variables=${encodeURIComponent(`{"v":${repeat('[', 2_000)}${repeat(']', 2_000)}}`)}`,
    );

    expect(fits.body.errors).toBeUndefined();
    expect(refusal(variable)).toEqual(BAD_REQUEST);
    expect(refusal(byGet)).toEqual(BAD_REQUEST);
  });

  it('counts the levels of a variable with those of the literal around it', async () => {
    const ask = (levels: number) => {
      const around = (inner: string): string => `${repeat('{a:', levels)}${inner}${repeat('}', levels)}`;
      const body = `{ model: "builtin-extractive", input: "Hello.", metadata: ${around('$deep')} }`;
      const query = `mutation ($deep: JSON!) { createResponse(body: ${body}) { id } }`;
      return platform.graphql(query, { deep: JSON.parse(`${repeat('[', 40)}${repeat(']', 40)}`) }, token);
    };

    const fits = await ask(10);
    const deep = await ask(40);

    expect(fits.body.errors).toBeUndefined();
    expect(refusal(deep)).toEqual(BAD_REQUEST);
  });

  it('refuses a large variable, or default, that a literal holds again and again', async () => {
    const parts = repeat('{ type: "text", text: $text }', 300);
    const body = `{ model: "builtin-extractive", messages: [{ role: "user", content: [${parts}] }] }`;
    const ask = (definition: string, text?: string) =>
      platform.graphql(`mutation (${definition}) { createChatCompletion(body: ${body}) { id } }`, { text }, token);

    const small = await ask('$text: JSON!', 'Hello.');
    const inFragment = await platform.graphql(
      `mutation ($text: JSON!) { ...f } fragment f on Mutation { createChatCompletion(body: { model: "builtin-extractive", messages: [{ role: "user", content: $text }] }) { id } }`,
      { text: repeat('x', 1_500_000) },
      token,
    );
    const large = await ask('$text: JSON!', repeat('x', 10_000));
    const byDefault = await ask(`$text: JSON = "${repeat('x', 10_000)}"`);

    expect(small.body.errors).toBeUndefined();
    expect(inFragment.body.errors).toBeUndefined();
    expect(refusal(large)).toEqual(BAD_REQUEST);
    expect(refusal(byDefault)).toEqual(BAD_REQUEST);
  });

  it('logs no error for what it refuses', () => {
    const errors = platform.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);

    expect(errors).toEqual([]);
  });

  function refusal({ status, body }: RestAnswer) {
    return [status, body.errors?.[0]?.extensions];
  }
});

function repeat(text: string, times: number): string {
  return text.repeat(times);
}

function many(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(' ');
}
