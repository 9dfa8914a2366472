import { getNullableType, isInputObjectType, isListType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { isJsonObject } from '../platform/json/json-object.js';
import { toRestName } from '../platform/json/merge-settings.js';

/** A value with the names of the graph in place of those of REST, in all objects whose type is known. */
export function toGraphNames(value: unknown, type: GraphQLInputType): unknown {
  const given = getNullableType(type);
  if (isListType(given) && Array.isArray(value)) return value.map((entry) => toGraphNames(entry, given.ofType));
  if (!isInputObjectType(given) || !isJsonObject(value)) return value;
  const fields = new Map(Object.values(given.getFields()).map((field) => [toRestName(field.name), field]));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = fields.get(name);
      return field ? [field.name, toGraphNames(member, field.type)] : [name, member];
    }),
  );
}
