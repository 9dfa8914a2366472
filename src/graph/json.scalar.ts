import { GraphQLScalarType } from 'graphql';

/**
 * Any JSON value, passed through as it stands. How deep one may be is checked where an operation is read
 * (operation-limits.ts), and where a REST body is.
 * The library scalar copies values on the way; answers of models are large, and this one costs nothing.
 */
export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value, passed through as it stands.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
});
