import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { GraphQLObjectType } from 'graphql';
import { checkAccess } from '../../src/graph/access-check.js';
import type { ReferenceResolver } from '../../src/graph/domain.js';

const SDL = `
  directive @key(fields: String!) on OBJECT
  type Owner @key(fields: "id") { id: ID!, things: ThingConnection! }
  type Thing @key(fields: "id") { id: ID!, owner: Owner }
  type ThingEdge { node: Thing! }
  type ThingConnection { edges: [ThingEdge!]! }
  type Query { thing: Thing, health: String }
  type Mutation { makeThing: Thing }
`;
const references = ['Owner', 'Thing'].map((type) => ({ type, access: { credential: 'bearer' } }) as ReferenceResolver);
const guarded = ['Owner.things', 'Thing.owner', 'Query.thing', 'Mutation.makeThing'];

describe('the check of access rules at start', () => {
  it('passes where every field has a rule or a reason to be open', () => {
    expect(() => checkAccess(schemaWith(guarded, ['Query.health']), references)).not.toThrow();
  });

  it.each([...guarded, 'Query.health'])('stops the start where %s has neither', (name) => {
    const rules = guarded.filter((other) => other !== name);
    const open = ['Query.health'].filter((other) => other !== name);

    expect(() => checkAccess(schemaWith(rules, open), references)).toThrow(name);
  });

  it('stops the start where an entity has no guarded reference resolver', () => {
    expect(() => checkAccess(schemaWith(guarded, ['Query.health']), references.slice(0, 1))).toThrow('Thing');
  });
});

function schemaWith(rules: readonly string[], open: readonly string[]) {
  const schema = buildSchema(SDL);
  for (const name of [...rules, ...open]) {
    const [type = '', field = ''] = name.split('.');
    const definition = (schema.getType(type) as GraphQLObjectType).getFields()[field];
    if (definition)
      definition.extensions = rules.includes(name) ? { rule: { credential: 'bearer' } } : { public: 'why' };
  }
  return schema;
}
