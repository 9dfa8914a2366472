import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isDeeperThan, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';

/**
 * Any JSON value, passed through as it stands, at most 64 levels deep.
 * The library scalar copies values on the way; answers of models are large, and this one costs nothing.
 */
export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value, passed through as it stands.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: checked,
  parseLiteral: (node, variables) => {
    const value: unknown = valueFromASTUntyped(node, variables);
    if (value === undefined) throw new GraphQLError('This is no JSON value.', { nodes: node });
    return checked(value);
  },
});

function checked(value: unknown): unknown {
  if (isDeeperThan(MAX_JSON_DEPTH, value)) {
    throw new GraphQLError(`The value is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return value;
}
