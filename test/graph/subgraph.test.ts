import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { subgraphSdl } from '../../src/graph/subgraph.js';

const TYPES = parse(`
  type Owner @key(fields: "id") { id: ID!, email: String!, badge: Badge, quota: Quota! }
  type Badge { text: String! }
  type Quota { used: Int! }
  type Shared { text: String! }
  type Base @key(fields: "id") { id: ID!, owner: Owner, shared: Shared }
  type Query { base: Base }
`);
const nothing = new Set<string>();

describe('the SDL of a subgraph', () => {
  it('keeps types whole where every domain is served', () => {
    const sdl = subgraphSdl(TYPES, {
      foreignEntities: nothing,
      addedFields: nothing,
      addedElsewhere: nothing,
      usedElsewhere: nothing,
    });

    expect(sdl).toContain('email: String!');
    expect(sdl).not.toContain('@shareable\n');
    expect(sdl).not.toContain('resolvable');
  });

  it('leaves a foreign entity its key, and drops what only its other fields needed', () => {
    const sdl = subgraphSdl(TYPES, {
      foreignEntities: new Set(['Owner']),
      addedFields: nothing,
      addedElsewhere: nothing,
      usedElsewhere: nothing,
    });

    expect(sdl).toMatch(/type Owner @key\(fields: "id", resolvable: false\) \{\s+id: ID!\s+\}/);
    expect(sdl).not.toContain('Badge');
  });

  it('leaves a foreign entity the fields that this domain adds, and lets it be referred to', () => {
    const view = {
      foreignEntities: new Set(['Owner']),
      addedFields: new Set(['Owner.quota']),
      addedElsewhere: nothing,
      usedElsewhere: nothing,
    };

    const sdl = subgraphSdl(TYPES, view);

    expect(sdl).toMatch(/type Owner @key\(fields: "id"\) \{\s+id: ID!\s+quota: Quota!\s+\}/);
    expect(sdl).not.toContain('email');
  });

  it('loses the fields that others add to its own types', () => {
    const view = {
      foreignEntities: nothing,
      addedFields: nothing,
      addedElsewhere: new Set(['Owner.quota']),
      usedElsewhere: nothing,
    };

    const sdl = subgraphSdl(TYPES, view);

    expect(sdl).toContain('email: String!');
    expect(sdl).not.toContain('Quota');
  });

  it('marks value types that others use as shareable, and no entity', () => {
    const sdl = subgraphSdl(TYPES, {
      foreignEntities: nothing,
      addedFields: nothing,
      addedElsewhere: nothing,
      usedElsewhere: new Set(['Shared', 'Base', 'Query']),
    });

    expect(sdl).toContain('type Shared @shareable');
    expect(sdl.match(/@shareable/g)).toHaveLength(2);
  });
});
