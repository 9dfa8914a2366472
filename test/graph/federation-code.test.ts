import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { checkKeys } from '../../src/graph/entity-keys.js';
import { clientSdl, subgraphSdl } from '../../src/graph/subgraph.js';

describe('directives of federation in the code', () => {
  it('come into the subgraph, and its link line imports those that are used', () => {
    const none = new Set<string>();
    const neighbours = {
      foreignEntities: none,
      addedFields: none,
      addedElsewhere: none,
      usedElsewhere: new Set(['Money']),
    };

    const sdl = subgraphSdl(types(), neighbours);

    const [link = ''] = sdl.split('\n');
    expect([...link.matchAll(/"@(\w+)"/g)].map(([, name]) => name)).toEqual([
      'external',
      'inaccessible',
      'key',
      'override',
      'provides',
      'requires',
      'shareable',
      'tag',
    ]);
    expect(sdl).toContain('stock: Int @override(from: "warehouse")');
    expect(sdl.match(/@shareable/g)).toHaveLength(2);
  });

  it('are not shown to clients', () => {
    const sdl = clientSdl(types());

    expect(sdl).not.toContain('@');
    expect(() => buildSchema(sdl)).not.toThrow();
  });

  it('stop the start where a key is one that nobody reads', () => {
    const schema = buildSchema(
      'directive @key(fields: String!) repeatable on OBJECT type Query { p: Product } type Product @key(fields: "sku") @key(fields: "id") { sku: ID! id: ID! }',
    );
    const reading = (keys?: readonly string[]) =>
      new Map([
        ['Product', { type: 'Product', keys, access: { credential: 'bearer' }, resolve: async () => [] }],
      ] as const);

    expect(() => checkKeys(schema, reading())).toThrow('Product by "sku"');
    expect(() => checkKeys(schema, reading(['id', 'sku']))).not.toThrow();
  });
});

/** Types with every directive, and a value that another domain uses too. */
function types(): DocumentNode {
  return parse(`
  type Query { product: Product }
  type Product @key(fields: "sku") @tag(name: "catalog") {
    sku: ID!
    price: Money
    old: String @inaccessible
    stock: Int @override(from: "warehouse")
    size: Int @external
    fits: Boolean @requires(fields: "size")
    maker: Maker @provides(fields: "name")
  }
  type Maker @key(fields: "id", resolvable: false) { id: ID! name: String @external }
  type Money @shareable { amount: Int }
`);
}
