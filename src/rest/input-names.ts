import { getNullableType, isInputObjectType, isListType, isRequiredInputField } from 'graphql';
import type { GraphQLInputObjectType, GraphQLInputType } from 'graphql';
import { BadRequest } from '../errors.js';
import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';
import { toRestName } from '../platform/text/rest-name.js';

/**
 * A value with the names of the graph in place of those of REST, in all objects whose type is known.
 * @param path what the value is called, such as `rules[0]`
 * @throws BadRequest that names, by its REST name, the first member that such an object does not have, or lacks
 */
export function toGraphNames(value: unknown, type: GraphQLInputType, path: string): unknown {
  const given = getNullableType(type);
  if (isListType(given) && Array.isArray(value)) {
    return value.map((entry, index) => toGraphNames(entry, given.ofType, `${path}[${index}]`));
  }
  return isInputObjectType(given) && isJsonObject(value) ? toGraphObject(value, given, path) : value;
}

function toGraphObject(value: JsonObject, type: GraphQLInputObjectType, path: string): JsonObject {
  const fields = new Map(Object.values(type.getFields()).map((field) => [toRestName(field.name), field]));
  for (const [name, field] of fields) {
    if (!isRequiredInputField(field) || Object.hasOwn(value, name)) continue;
    throw new BadRequest(`${path}.${name} is required.`, `${path}.${name}`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = fields.get(name);
      if (!field) throw new BadRequest(`${path}.${name} is not known.`, `${path}.${name}`);
      return [field.name, toGraphNames(member, field.type, `${path}.${name}`)];
    }),
  );
}
