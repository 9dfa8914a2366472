import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/**
 * A whole number that JSON carries exactly, up to 2^53 - 1: Unix seconds, and counts that may outgrow 32 bits, where
 * GraphQL's own `Int` ends.
 */
export const SafeInt = new GraphQLScalarType({
  name: 'SafeInt',
  description: 'A whole number between -(2^53 - 1) and 2^53 - 1.',
  // Answers of model servers pass through here: a fraction of a second is no reason to fail.
  serialize: (value) => checked(typeof value === 'number' ? Math.trunc(value) : value),
  parseValue: checked,
  parseLiteral: (node) => {
    if (node.kind !== Kind.INT) throw new GraphQLError('This is no whole number.', { nodes: node });
    return checked(Number(node.value));
  },
});

function checked(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError(`must be a whole number, at most ${Number.MAX_SAFE_INTEGER}.`);
}
