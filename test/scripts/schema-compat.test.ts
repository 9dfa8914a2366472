import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { judge } from '../../scripts/compat/accepted-changes.js';
import { breakingGraphqlChanges } from '../../scripts/compat/graphql-compat.js';

const PLATFORM = readFileSync(new URL('../../schema/platform.graphql', import.meta.url), 'utf8');
const SDL = 'enum Kind { A B } type Query { item(id: ID!): Item, kinds: [Kind!]! } type Item { id: ID! name: String! }';

describe('the comparison of two GraphQL schemas', () => {
  it.each([
    ['a field that is gone', SDL.replace('name: String!', ''), /^Item\.name: .*removed/],
    ['a field that may be null', SDL.replace('name: String!', 'name: String'), /^Item\.name: /],
    ['an argument that is required', SDL.replace('kinds:', 'kinds(of: ID!):'), /^Query\.kinds\.of: /],
    ['a value that is gone', SDL.replace('B }', '}'), /^Kind\.B: /],
  ])('finds %s', async (_name, after, found) => {
    const changes = await breakingGraphqlChanges(SDL, after);

    expect(changes).toEqual([expect.stringMatching(found)]);
  });

  it.each([
    ['a new field', SDL.replace('name:', 'more: Int name:')],
    ['a new argument', SDL.replace('kinds:', 'kinds(of: ID):')],
    ['a description', SDL.replace('type Item', '"An item." type Item')],
  ])('lets pass: %s', async (_name, after) => {
    expect(await breakingGraphqlChanges(SDL, after)).toEqual([]);
  });

  it('reads the schema of the platform', async () => {
    expect(await breakingGraphqlChanges(PLATFORM, PLATFORM)).toEqual([]);
  });
});

describe('a breaking change', () => {
  it('is refused, unless it is accepted with a reason', () => {
    expect(judge(['a: was removed', 'b: was removed'], { 'a: was removed': 'It never worked.' })).toEqual({
      unaccepted: ['b: was removed'],
      unneeded: [],
    });
  });

  it('that did not happen is not accepted for later', () => {
    expect(judge([], { 'a: was removed': 'It never worked.' }).unneeded).toEqual(['a: was removed']);
  });

  it.each([[''], [' '], [null], [true]])('cannot be accepted without a reason: %p', (reason) => {
    expect(() => judge([], { 'a: was removed': reason })).toThrow('There is no reason for: a: was removed');
  });
});
