import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Graph } from '../../src/graph/graph.js';
import { readEndpoints } from '../../src/rest/read-documents.js';

describe('reading REST documents', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rest-documents-'));
    mkdirSync(join(folder, 'toys'));
    cpSync('schema/rest/directive.graphql', join(folder, 'directive.graphql'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('binds variables by name from path and body, and knows the REST name of every input path', () => {
    const [endpoint] = read(`
      mutation UpdateThing($id: ID!, $display_name: String, $size: Int)
      @rest(method: PATCH, path: "/v1/things/{id}") {
        updateThing(id: $id, patch: { displayName: $display_name, size: $size }) { ...ThingBody }
      }
      fragment ThingBody on Thing { id display_name: displayName }
    `);

    expect(endpoint?.bindings.map(({ name, source, required }) => [name, source, required])).toEqual([
      ['id', 'path', true],
      ['display_name', 'body', false],
      ['size', 'body', false],
    ]);
    expect(endpoint?.wireNames.get('patch.displayName')).toBe('display_name');
    expect(endpoint).toMatchObject({ method: 'PATCH', status: 200, rootField: 'updateThing', operation: 'Mutation' });
  });

  it('takes several operations from a file, each with the fragments that it uses', () => {
    const endpoints = read(`
      query GetThing($id: ID!) @rest(method: GET, path: "/v1/things/{id}") { thing(id: $id) { ...A } }
      query ListThings @rest(method: GET, path: "/v1/things", envelope: LIST) { things { id } }
      fragment A on Thing { ...B }
      fragment B on Thing { id }
    `);

    expect(endpoints.map((endpoint) => endpoint.document.definitions.length)).toEqual([3, 1]);
  });

  it('takes a connection for a list where it selects what the envelope needs', () => {
    const [endpoint] = read(`
      query ListPages($limit: Int) @rest(method: GET, path: "/v1/pages", envelope: LIST) {
        pages(first: $limit) { ...Page }
      }
      fragment Page on ThingConnection { edges { node { id } } pageInfo { hasNextPage endCursor } }
    `);

    expect(endpoint).toMatchObject({ envelope: 'LIST', rootField: 'pages' });
    expect(endpoint?.wireNames.get('first')).toBe('limit');
  });

  it('lets a mutation be a GET where it sends a browser on', () => {
    const [endpoint] = read(`
      mutation GoOn($id: ID!) @rest(method: GET, path: "/v1/on/{id}", status: 302, redirect: "id") {
        updateThing(id: $id, patch: {}) { id }
      }
    `);

    expect(endpoint).toMatchObject({ method: 'GET', operation: 'Mutation', status: 302, redirect: 'id' });
  });

  const refusals: [string, string[], RegExp][] = [
    [
      'that redirects to no field of the answer',
      ['query A @rest(method: GET, path: "/v1/a", status: 302, redirect: "url") { thing(id: "1") { id } }'],
      /A: the answer needs url/,
    ],
    [
      'that redirects with another status',
      ['query A @rest(method: GET, path: "/v1/a", redirect: "id") { thing(id: "1") { id } }'],
      /A: a redirect has the status 302/,
    ],
    [
      'that has the status of a redirect and is none',
      ['query A @rest(method: GET, path: "/v1/a", status: 302) { thing(id: "1") { id } }'],
      /A: a redirect has the status 302/,
    ],
    [
      'that does not validate',
      ['query A @rest(method: GET, path: "/v1/a") { things { nothing } }'],
      /Cannot query field "nothing"/,
    ],
    ['without a name', ['query @rest(method: GET, path: "/v1/a") { things { id } }'], /no name/],
    ['without @rest', ['query A { things { id } }'], /A has no @rest/],
    [
      'with two root fields',
      ['query A @rest(method: GET, path: "/v1/a") { things { id } secret { id } }'],
      /exactly one root field/,
    ],
    [
      'that is a GET and a mutation',
      ['mutation A($id: ID!) @rest(method: GET, path: "/v1/a/{id}") { updateThing(id: $id, patch: {}) { id } }'],
      /is a GET and not a query/,
    ],
    [
      'whose path segment is no variable',
      ['query A @rest(method: GET, path: "/v1/a/{id}") { things { id } }'],
      /no variable for the path segment id/,
    ],
    [
      'that is a subscription without a stream',
      ['subscription A($id: ID!) @rest(method: POST, path: "/v1/a/{id}") { thingEvents(id: $id) { id } }'],
      /has a stream/,
    ],
    [
      'whose method and path are taken',
      [
        'query A($id: ID!) @rest(method: GET, path: "/v1/a/{id}") { thing(id: $id) { id } }',
        'query B($name: ID!) @rest(method: GET, path: "/v1/a/{name}") { thing(id: $name) { id } }',
      ],
      /GET \/v1\/a\/\{\} is taken by A/,
    ],
    [
      'that shares a path with another access rule',
      [
        'query A @rest(method: GET, path: "/v1/a") { things { id } }',
        'query B @rest(method: GET, path: "/v1/a", when: "format=csv") { secret { id } }',
      ],
      /another access rule/,
    ],
    [
      'that lists a connection without its page',
      ['query A @rest(method: GET, path: "/v1/a", envelope: LIST) { pages { edges { node { id } } } }'],
      /A: the answer needs pageInfo.hasNextPage, pageInfo.endCursor/,
    ],
    [
      'whose location is no field of the answer',
      [
        'mutation A($id: ID!) @rest(method: POST, path: "/v1/a/{id}", location: "/v1/a/{id}/{number}") { updateThing(id: $id, patch: {}) { id } }',
      ],
      /A: the answer needs number/,
    ],
    ['that is no GraphQL', ['query {'], /Syntax Error/],
  ];

  it.each(refusals)('refuses a document %s', (_what, documents, message) => {
    expect(() => read(...documents)).toThrow(message);
  });

  it('reports every document that cannot be served', () => {
    expect(() => read('query {', 'query A { things { id } }')).toThrow(/d0\.graphql[\s\S]*d1\.graphql/);
  });

  function read(...documents: string[]) {
    for (const [index, text] of documents.entries()) writeFileSync(join(folder, 'toys', `d${index}.graphql`), text);
    return readEndpoints(folder, ['toys'], graphOfThings());
  }
});

function graphOfThings(): Graph {
  const sdl = `
  input ThingPatch { displayName: String, size: Int }
  type Thing { id: ID!, displayName: String, parts: [String!]! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type ThingEdge { cursor: String!, node: Thing! }
  type ThingConnection { edges: [ThingEdge!]!, pageInfo: PageInfo! }
  type Query { thing(id: ID!): Thing, things: [Thing!]!, pages(first: Int): ThingConnection!, secret: Thing }
  type Mutation { updateThing(id: ID!, patch: ThingPatch!): Thing }
  type Subscription { thingEvents(id: ID!): Thing }
`;
  return {
    schema: buildSchema(sdl),
    sdl,
    clientSdl: sdl,
    accessOf: (_type, field) => (field === 'secret' ? { public: 'test' } : { rule: { credential: 'bearer' } }),
  };
}
