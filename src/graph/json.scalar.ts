import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';

/**
 * Any JSON value, passed through as it stands.
 * The library scalar copies values on the way; answers of models are large, and this one costs nothing.
 */
export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value, passed through as it stands.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => {
    const value: unknown = valueFromASTUntyped(node, variables);
    if (value === undefined) throw new GraphQLError('This is no JSON value.', { nodes: node });
    return value;
  },
});
