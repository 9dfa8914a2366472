import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import type { GraphQLNamedType, GraphQLObjectType } from 'graphql';

const schema = buildSchema(readFileSync('schema/platform.graphql', 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);
const objects = types.filter(isObjectType);
const roots = [schema.getQueryType(), schema.getMutationType()] as GraphQLObjectType[];

describe('the schema that clients read', () => {
  it('describes every type, field, argument and value', () => {
    expect(types.flatMap(undescribed)).toEqual([]);
  });

  it('lets a query or a mutation fail without its neighbours', () => {
    const strict = roots.flatMap((root) =>
      Object.values(root.getFields())
        .filter(({ type }) => isNonNullType(type))
        .map(({ name }) => name),
    );

    expect(strict).toEqual([]);
  });

  it('has ids of the type ID, which clients keep objects by', () => {
    const texts = objects.flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ name }) => name === 'id' || /[a-z]Id$/.test(name))
        // The header of that name, which callers choose.
        .filter(({ name }) => name !== 'requestId')
        .filter((field) => String(field.type).replace('!', '') !== 'ID')
        .map(({ name }) => `${type.name}.${name}`),
    );
    const optional = objects.filter((type) => 'id' in type.getFields() && String(type.getFields().id?.type) !== 'ID!');

    expect(texts).toEqual([]);
    expect(optional.map(({ name }) => name)).toEqual([]);
  });

  it('gives an id to whatever a mutation changes', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const answers = mutations.filter(({ name }) => /^(create|update|set|rotate|delete)/.test(name));
    const without = answers.filter(({ type }) => {
      const answer = schema.getType(String(type));
      // Nothing of these is kept.
      const isMade = ['Blob', 'EmbeddingList'].includes(String(type));
      return !isObjectType(answer) || (!('id' in answer.getFields()) && !isMade);
    });

    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('answers every deletion alike', () => {
    const deletions = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
      name.startsWith('delete'),
    );

    expect(new Set(deletions.map(({ type }) => String(type)))).toEqual(new Set(['Deletion']));
  });

  it('has connections as Relay reads them', () => {
    const pageInfo = schema.getType('PageInfo') as GraphQLObjectType;
    const shape = (type: GraphQLObjectType) =>
      Object.fromEntries(Object.values(type.getFields()).map(({ name, type: of }) => [name, String(of)]));

    expect(shape(pageInfo)).toEqual({
      hasNextPage: 'Boolean!',
      hasPreviousPage: 'Boolean!',
      startCursor: 'String',
      endCursor: 'String',
    });
    for (const { name } of objects.filter((type) => type.name.endsWith('Connection'))) {
      const node = name.replace('Connection', '');
      const [connection, edge] = [schema.getType(name), schema.getType(`${node}Edge`)] as GraphQLObjectType[];
      expect(shape(connection as GraphQLObjectType)).toEqual({
        edges: `[${node}Edge!]!`,
        pageInfo: 'PageInfo!',
        totalCount: 'Int',
      });
      expect(shape(edge as GraphQLObjectType)).toEqual({ cursor: 'String!', node: `${node}!` });
    }
  });
});

function undescribed(type: GraphQLNamedType): string[] {
  const missing = type.description ? [] : [type.name];
  if (isEnumType(type)) {
    return [
      ...missing,
      ...type
        .getValues()
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${name}`),
    ];
  }
  if (!isObjectType(type) && !isInputObjectType(type)) return missing;
  for (const field of Object.values(type.getFields())) {
    if (!field.description) missing.push(`${type.name}.${field.name}`);
    if (!('args' in field)) continue;
    for (const { name, description } of field.args)
      if (!description) missing.push(`${type.name}.${field.name}(${name})`);
  }
  return missing;
}
