import fc from 'fast-check';

/** What GraphQL is asked: the members of a request's body. */
export interface GraphqlRequest {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** Requests of one kind, by a size: levels, copies or entries. */
export interface DocumentKind {
  readonly name: string;
  readonly most: number;
  readonly build: (size: number) => GraphqlRequest;
}

const STATUS = '{ health { status } }';
const CHAT = 'mutation ($body: JSON!) { createChatCompletion(body: $body) { id } }';
const CHAT_BODY = { model: 'builtin-extractive', messages: [{ role: 'user', content: 'Hello.' }] };

/** Queries that are costly to parse, to check or to execute. */
export const DOCUMENTS: readonly DocumentKind[] = [
  kind('deep fields', 20_000, (size) => `${'{ me '.repeat(size)} { id } ${'}'.repeat(size)}`),
  kind('deep entities', 2_000, (size) => {
    const level = '{ tenant { users(first: 100) { edges { node ';
    return `{ me ${level.repeat(size)} { id } ${'} } } }'.repeat(size)} }`;
  }),
  kind('deep inline fragments', 20_000, (size) => `{ ${'... { '.repeat(size)} health { status } ${'}'.repeat(size)} }`),
  kind('deep introspection', 3_000, (size) => {
    const level = 'fields { type { ';
    return `{ __schema { types { ${level.repeat(size)} name ${'} }'.repeat(size)} } } }`;
  }),
  kind('wide introspection', 300, (size) => {
    const types = copies(size, (n) => `t${n}: __type(name: "User") { fields { args { type { ofType { name } } } } }`);
    return `{ ${types} }`;
  }),
  kind('aliases', 30_000, (size) => `{ ${copies(size, (n) => `a${n}: health { status }`)} }`),
  kind('the same field', 50_000, (size) => `{ ${copies(size, () => 'health { status }')} }`),
  kind('the same leaf', 200_000, (size) => `{ health { ${copies(size, () => 'status')} } }`),
  kind('conflicts', 5_000, (size) => `{ ${copies(size, (n) => `a: model(id: "${n}") { id }`)} }`),
  kind('fragments that double', 200, (size) => {
    const fragments = copies(size, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
    return `{ ...f0 } ${fragments} fragment f${size} on Query ${STATUS}`;
  }),
  kind('fields that double', 40, (size) => {
    const fragments = copies(
      size,
      (n) => `fragment f${n} on User { a: tenant { ...g${n} } b: tenant { ...g${n} } }
      fragment g${n} on Tenant { users { edges { node { ...f${n + 1} } } } }`,
    );
    return `{ me { ...f0 } } ${fragments} fragment f${size} on User { id }`;
  }),
  kind('fragments that spread all later ones', 300, (size) => {
    const spreads = (first: number) => copies(size - first, (n) => `...f${first + n}`);
    const fragment = (n: number) => `fragment f${n} on Query { a: health { status } ${spreads(n + 1)} }`;
    return `{ ${spreads(0)} } ${copies(size, fragment)}`;
  }),
  kind('fields to be merged', 20_000, (size) => `{ ${copies(size, (n) => `health { a${n}: status }`)} }`),
  kind('fields to be merged at every level', 2_000, (size) => {
    const level = (n: number) => `... on User { tenant { id name a${n}: plan } tenant { id name b${n}: plan } }`;
    return `{ me { ${copies(size, level)} } }`;
  }),
  kind('a fragment cycle', 5_000, (size) => {
    return `{ ...f0 } ${copies(size, (n) => `fragment f${n} on Query { ...f${(n + 1) % size} health { status } }`)}`;
  }),
  kind('spreads', 50_000, (size) => `{ ${copies(size, () => '...f')} } fragment f on Query ${STATUS}`),
  kind('unknown fragments', 20_000, (size) => `{ ${copies(size, (n) => `...f${n}`)} }`),
  kind('directives', 50_000, (size) => `{ health ${copies(size, () => '@include(if: true)')} { status } }`),
  kind('unknown directives', 50_000, (size) => `{ health ${copies(size, (n) => `@d${n}(a: 1)`)} { status } }`),
  kind('a list literal', 300_000, (size) => {
    return `mutation { createChatCompletion(body: { model: "m", messages: [${copies(size, () => '0')}] }) { id } }`;
  }),
  kind('an object literal', 100_000, (size) => {
    return `mutation { createChatCompletion(body: { ${copies(size, (n) => `a${n}: 0`)} }) { id } }`;
  }),
  kind('a deep list literal', 50_000, (size) => {
    return `mutation { createChatCompletion(body: ${'['.repeat(size)}0${']'.repeat(size)}) { id } }`;
  }),
  kind('a deep object literal', 50_000, (size) => {
    return `mutation { createChatCompletion(body: ${'{a:'.repeat(size)}0${'}'.repeat(size)}) { id } }`;
  }),
  kind('a deep default', 50_000, (size) => {
    return `query ($id: JSON = ${'['.repeat(size)}0${']'.repeat(size)}) { model(id: $id) { id } }`;
  }),
  kind(
    'a deep type',
    50_000,
    (size) => `query ($id: ${'['.repeat(size)}ID${']'.repeat(size)}) { model(id: $id) { id } }`,
  ),
  kind('operations', 20_000, (size) => copies(size, (n) => `query q${n} ${STATUS}`)),
  kind('operations of one name', 20_000, (size) => copies(size, () => `query q ${STATUS}`)),
  kind('variables', 20_000, (size) => `query (${copies(size, (n) => `$v${n}: ID = "x"`)}) ${STATUS}`),
  kind('uses of variables', 20_000, (size) => {
    return `query ($id: ID!) { ${copies(size, (n) => `a${n}: model(id: $id, x: $y${n}) { id }`)} }`;
  }),
  kind('unknown fields', 20_000, (size) => `{ ${copies(size, (n) => `helth${n} { status }`)} }`),
  kind('a long unknown field', 1_000_000, (size) => `{ ${'healt'.repeat(size / 5)} }`),
  kind('unknown types', 10_000, (size) => `{ ${copies(size, (n) => `... on Usr${n} { id }`)} }`),
  kind('unknown arguments', 20_000, (size) => `{ model(id: "x" ${copies(size, (n) => `idd${n}: 1`)}) { id } }`),
  kind('a long text', 2_000_000, (size) => `{ model(id: "${'x'.repeat(size)}") { id } }`),
  kind('a block text', 100_000, (size) => `{ model(id: """${'\n   x'.repeat(size)}""") { id } }`),
  kind('escapes', 200_000, (size) => `{ model(id: "${'\\u{1F600}'.repeat(size)}") { id } }`),
  kind('a long number', 500_000, (size) => `{ apiTokens(first: ${'9'.repeat(size)}) { totalCount } }`),
  kind('comments', 200_000, (size) => `${'#\n'.repeat(size)} ${STATUS}`),
  kind('commas', 1_000_000, (size) => `{ ${','.repeat(size)} health { status } }`),
  kind('an open brace', 200_000, (size) => '{ health '.repeat(size)),
  kind('type definitions', 10_000, (size) => `${STATUS} ${copies(size, (n) => `type T${n} { a: Int }`)}`),
  kind('several pages', 15, (size) => `{ ${copies(size, (n) => `a${n}: apiTokens(first: 100) { totalCount }`)} }`),
  kind('sign-ins that fail', 15, (size) => {
    return `mutation { ${copies(size, (n) => `a${n}: login(email: "a${n}@b.example", password: "x") { accessToken }`)} }`;
  }),
  kind('calls of models', 15, (size) => {
    const body = '{ model: "builtin-extractive", messages: [{ role: "user", content: "Hello." }] }';
    return `mutation { ${copies(size, (n) => `a${n}: createChatCompletion(body: ${body}) { id }`)} }`;
  }),
  { name: 'a deep variable', most: 50_000, build: (size) => ({ query: CHAT, variables: { body: nested(size) } }) },
  {
    name: 'a deep field of a body',
    most: 50_000,
    build: (size) => ({ query: CHAT, variables: { body: { ...CHAT_BODY, metadata: nested(size) } } }),
  },
  {
    name: 'a wide variable',
    most: 30_000,
    build: (size) => ({ query: CHAT, variables: { body: { ...CHAT_BODY, ...numbered(size) } } }),
  },
  {
    name: 'a long variable',
    most: 4_000_000,
    build: (size) => ({
      query: CHAT,
      variables: { body: { ...CHAT_BODY, messages: [{ role: 'user', content: 'x'.repeat(size) }] } },
    }),
  },
  { name: 'unused variables', most: 100_000, build: (size) => ({ query: STATUS, variables: numbered(size) }) },
  {
    name: 'a deep value of another type',
    most: 50_000,
    build: (size) => ({ query: 'query ($id: ID!) { model(id: $id) { id } }', variables: { id: nested(size) } }),
  },
  {
    name: 'a list of wrong values',
    most: 50_000,
    build: (size) => ({
      query: 'mutation ($s: [String!]!) { createApiToken(input: { name: "a", scopes: $s }) { id } }',
      variables: { s: Array.from({ length: size }, (_, n) => n) },
    }),
  },
];

/** Sizes up to the most, of every order of magnitude: what is too large may be refused sooner than what is not. */
export function sizes(most: number): fc.Arbitrary<number> {
  const any = fc.double({ min: 0, max: 1, noNaN: true }).map((share) => Math.max(1, Math.round(most ** share)));
  const middle = fc.integer({ min: Math.ceil(most / 200), max: Math.ceil(most / 10) });
  return fc.oneof(any, middle, fc.constant(most));
}

/** Stands for lists and objects in each other; `jsonOf` writes them. */
export function nested(levels: number): string {
  return `nested ${levels}`;
}

/** A value as JSON, with all that is nested in it, however deep. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"nested (\d+)"/g, (_, levels) => {
    const count = Math.ceil(Number(levels) / 2);
    return `${'[{"a":'.repeat(count)}0${'}]'.repeat(count)}`;
  });
}

function kind(name: string, most: number, query: (size: number) => string): DocumentKind {
  return { name, most, build: (size) => ({ query: query(size) }) };
}

function copies(count: number, write: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => write(number)).join(' ');
}

function numbered(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`a${number}`, number]));
}
