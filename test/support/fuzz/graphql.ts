import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import fc from 'fast-check';
import { inTurn } from './attacks.js';
import type { Attack, AttackKind, Target } from './attacks.js';
import { DOCUMENTS, jsonOf, nested, sizes } from './documents.js';
import type { GraphqlRequest } from './documents.js';
import { problemOfAnswer } from './graphql-answers.js';
import { send } from './send.js';
import type { WireRequest } from './send.js';

/** How a request for GraphQL is sent. */
interface Way {
  readonly method: 'POST' | 'GET';
  readonly accept: string;
  readonly withToken: boolean;
}

/** An address that is longer is refused before anybody reads it. */
const LONGEST_ADDRESS = 15_000;
/** In a comment of every query, and something else in each launch: a server may know documents that it has seen. */
const FRESH = 'fresh-in-each-launch';
const STATUS = '{ health { status } }';
const ENTITIES = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';

const ACCEPTS = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('*/*', 'application/json', 'application/graphql-response+json') },
  { weight: 3, arbitrary: fc.constant('text/event-stream') },
  fc.constantFrom(
    '',
    ',',
    ';',
    'text/html',
    'text/event-stream;q=0',
    'text/event-stream;q=0.1, application/json',
    'application/json, text/event-stream;q=2',
    'TEXT/EVENT-STREAM',
    'x/text/event-stream',
    'application/json;q=0, */*;q=0',
    `${'text/event-stream, '.repeat(500)}*/*`,
    `${'a/b;q=0.'.repeat(1_500)}`,
    '\u00ff/\u00fe',
  ),
);
const WAYS: fc.Arbitrary<Way> = fc.record({
  method: fc.constantFrom('POST' as const, 'POST' as const, 'GET' as const),
  accept: fc.oneof({ weight: 5, arbitrary: fc.constant('application/json') }, ACCEPTS),
  withToken: fc.boolean(),
});

/** Requests for GraphQL over HTTP, and over graphql-sse where that is what is accepted. */
export const GRAPHQL_ATTACKS: readonly AttackKind[] = [
  ...DOCUMENTS.map(({ name, most, build }) => ({
    name: `graphql: ${name}`,
    attacks: fc.tuple(sizes(most), WAYS).map(([size, way]) => attackOf(`size ${size}`, build(size), way)),
  })),
  ...references(),
  {
    name: 'graphql: accept',
    attacks: fc
      .tuple(fc.constantFrom(STATUS, '{ nothing }', 'subscription { quotaUpdated { exceeded } }', '{'), WAYS, ACCEPTS)
      .map(([query, way, accept]) => attackOf(query, { query }, { ...way, accept })),
  },
  { name: 'graphql: subscriptions', attacks: fc.tuple(subscriptions(), WAYS).map(([query, way]) => sseOf(query, way)) },
  { name: 'graphql: persisted queries', attacks: fc.tuple(persisted(), WAYS).map((given) => attackOf('', ...given)) },
  { name: 'graphql: bodies', attacks: fc.tuple(bodies(), fc.boolean()).map(([text, token]) => bodyOf(text, token)) },
  {
    name: 'graphql: text',
    attacks: fc
      .tuple(
        fc.array(fc.constantFrom(...'{ } ( ) [ ] : ... @ $ a health "" """ ! = | & # \ufeff \ud800'.split(' '))),
        WAYS,
      )
      .map(([tokens, way]) => attackOf('', { query: tokens.join(' ') }, way)),
  },
];

function references(): AttackKind[] {
  const user = { __typename: 'User', id: 'usr_01jc0000000000000000000000' };
  const kinds: readonly [string, number, (size: number) => unknown][] = [
    ['unknown ids', 20_000, (size) => Array.from({ length: size }, (_, n) => ({ ...user, id: `usr_${n}` }))],
    ['one id', 20_000, (size) => Array.from({ length: size }, () => user)],
    [
      'all types',
      5_000,
      (size) => Array.from({ length: size }, (_, n) => ({ ...user, __typename: TYPES[n % TYPES.length] })),
    ],
    ['no references', 10_000, (size) => Array.from({ length: size }, () => 1)],
    ['deep references', 20_000, (size) => [{ ...user, id: nested(size) }, nested(size)]],
    ['long ids', 1_000_000, (size) => [{ ...user, id: 'x'.repeat(size) }]],
  ];
  const odd: readonly unknown[] = [
    [1],
    [null],
    null,
    'User',
    {},
    [],
    [[user]],
    [{}],
    [{ __typename: '__proto__', id: 'a' }],
    [{ __typename: 'constructor', id: 'a' }],
    [{ __typename: null }],
    [{ __typename: 5, id: 5 }],
    [{ __typename: 'User' }],
    [{ __typename: 'User', id: null }],
    [{ __typename: 'User', id: { id: 'a' } }],
    [{ __typename: 'User', id: '\u0000' }],
    [{ __typename: 'User', email: 'admin@example.test' }],
    [{ __typename: 'Query' }, { __typename: 'Quota', id: 'a' }, { __typename: '_Service' }],
    [user, 1, null, { __typename: 'Nothing', id: 'a' }, user],
  ];
  return [
    ...kinds.map(([name, most, build]) => ({
      name: `_entities: ${name}`,
      attacks: fc.tuple(sizes(most), WAYS).map(([size, way]) => {
        return attackOf(`${size} of them`, { query: ENTITIES, variables: { r: build(size) } }, way);
      }),
    })),
    {
      name: '_entities: odd references',
      attacks: WAYS.map((way) => {
        return inTurn(odd.map((r) => attackOf(JSON.stringify(r), { query: ENTITIES, variables: { r } }, way)));
      }),
    },
    {
      name: '_entities: in the text, repeated',
      attacks: fc.tuple(sizes(200), WAYS).map(([size, way]) => {
        const list = '{__typename: "User", id: "a"} '.repeat(50);
        const fields = Array.from(
          { length: size },
          (_, n) => `a${n}: _entities(representations: [${list}]) { __typename }`,
        );
        return attackOf(`${size} times`, { query: `{ ${fields.join(' ')} }` }, way);
      }),
    },
  ];
}

const TYPES = ['User', 'Tenant', 'Model', 'ApiToken', 'Nothing'];

function subscriptions(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'subscription { quotaUpdated { exceeded } }',
    'subscription { backendHealthChanged { healthy } }',
    'subscription { a: quotaUpdated { exceeded } b: quotaUpdated { exceeded } }',
    'subscription { ...f } fragment f on Subscription { quotaUpdated { exceeded } backendHealthChanged { healthy } }',
    'subscription { __typename }',
    'subscription { chatCompletionStream(body: 5) { id } }',
    'subscription { chatCompletionStream(body: { model: "builtin-extractive", messages: [] }) { id } }',
    'subscription { responseStream(body: { model: "x", input: "a" }, id: "resp_x") { type } }',
    'subscription { nothing }',
    'subscription ($if: Boolean!) { quotaUpdated @include(if: $if) { exceeded } }',
  );
}

function persisted(): fc.Arbitrary<GraphqlRequest> {
  const hash = fc.constantFrom<unknown>('', 'x', 'a'.repeat(64), 'a'.repeat(1_000_000), 5, null, [], {}, '__proto__');
  const query = fc.constantFrom<unknown>(undefined, STATUS, '', null, 5);
  const version = fc.constantFrom<unknown>(1, 0, -1, '1', null, {}, 1e308);
  return fc.oneof(
    fc.record({ query, extensions: fc.record({ persistedQuery: fc.record({ version, sha256Hash: hash }) }) }),
    fc.record({
      query,
      extensions: fc.constantFrom<unknown>(null, 5, 'x', [], { persistedQuery: null }, nested(1_000)),
    }),
  );
}

/** Bodies that are no requests, or hardly. */
function bodies(): fc.Arbitrary<string> {
  const value = fc.constantFrom<unknown>(null, 5, 'x', '', [], {}, [STATUS], true, nested(40), 'x'.repeat(100_000));
  const members = fc.record(
    { query: value, variables: value, operationName: value, extensions: value, ['__proto__']: value },
    { requiredKeys: [] },
  );
  const batch = sizes(10_000).map((size) => `[${Array.from({ length: size }, () => '{"query":"{a}"}').join(',')}]`);
  const deep = sizes(200_000).map(
    (size) => `{"query":"${STATUS}","extensions":${'['.repeat(size)}${']'.repeat(size)}}`,
  );
  const wide = sizes(500_000).map((size) => `{"query":"${STATUS}","extensions":[${'[],'.repeat(size)}0]}`);
  const broken = fc.constantFrom('', '{', 'null', '5', '"x"', '[]', '[null]', '{"query":"{a}","query":"{b}"}');
  return fc.oneof({ weight: 3, arbitrary: members.map(jsonOf) }, batch, deep, wide, broken);
}

function attackOf(about: string, given: GraphqlRequest, way: Way): Attack {
  const request = typeof given.query === 'string' ? { ...given, query: `# ${FRESH}\n${given.query}` } : given;
  const text = jsonOf(request);
  const wire = { headers: { accept: way.accept, 'content-type': 'application/json' } };
  const address = way.method === 'GET' ? addressOf(request) : undefined;
  if (address === undefined) return sending(about, { ...wire, method: 'POST', path: '/graphql', body: text }, way);
  return sending(about, { method: 'GET', path: address, headers: { accept: way.accept } }, way);
}

function sseOf(query: string, way: Way): Attack {
  return attackOf(query, { query }, { ...way, accept: 'text/event-stream' });
}

function bodyOf(body: string, withToken: boolean): Attack {
  const headers = { 'content-type': 'application/json' };
  const wire = { method: 'POST', path: '/graphql', headers, body };
  return sending(body.slice(0, 100), wire, { method: 'POST', accept: 'application/json', withToken });
}

/** Undefined where it would be too long. */
function addressOf(request: GraphqlRequest): string | undefined {
  const members = Object.entries(request).map(([name, value]) => {
    return `${name}=${encodeURIComponent((typeof value === 'string' ? value : jsonOf(value ?? null)).toWellFormed())}`;
  });
  const address = `/graphql?${members.join('&')}`;
  return address.length > LONGEST_ADDRESS ? undefined : address;
}

function sending(about: string, wire: WireRequest, { accept, withToken }: Way): Attack {
  const how = `${wire.method}, ${accept.slice(0, 60)}, ${withToken ? 'a' : 'no'} token`;
  return {
    about: about === '' ? how : `${about} (${how})`,
    launch: async ({ url, token, answerMs }: Target) => {
      const agent = new Agent();
      const [path, body] = [wire.path, wire.body].map((text) => String(text ?? '').replace(FRESH, randomUUID()));
      const headers = { ...wire.headers, ...(withToken && { authorization: `Bearer ${token}` }) };
      try {
        const sent = { ...wire, path: path ?? '', headers, ...(wire.body !== undefined && { body }) };
        return problemOfAnswer(await send(agent, url, sent, answerMs));
      } finally {
        agent.destroy();
      }
    },
  };
}
