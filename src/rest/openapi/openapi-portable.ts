import { isJsonObject } from '../../platform/json/json-object.js';

/** A JSON Schema (2020-12) or another object of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** The keywords that say something of values of one type alone. */
const KEYWORDS_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
};
const TYPED = new Set(Object.values(KEYWORDS_OF_TYPES).flat());

/** Adds a component, and returns the reference to it. */
export type AddComponent = (name: string, schema: Json) => Json;

/**
 * A JSON Schema as the generators of clients understand it best, which accepts the same values: several types are
 * `oneOf`, an object of any fields says so, a default is told in words (generators make a field with a default a
 * required one), and a schema below with a title is a component of that name.
 */
export function portable(schema: Json, add: AddComponent): Json {
  const below = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, inner(name, value, add)]));
  return typesToOneOf(withAdditionalProperties(describeDefault(below)));
}

/** A default in words, at the end of the description. */
export function describeDefault({ default: value, ...schema }: Json): Json {
  if (value === undefined) return schema;
  const text = [schema.description, `By default \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ');
  return { ...schema, description: text };
}

/** The schema, or null. */
export function nullable(schema: Json): Json {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  return '$ref' in schema ? { oneOf: [schema, { type: 'null' }] } : schema;
}

function inner(keyword: string, value: unknown, add: AddComponent): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(Object.entries(value as Json).map(([name, schema]) => [name, member(schema, add)]));
    case 'oneOf':
      return (value as readonly unknown[]).map((schema) => member(schema, add));
    case 'items':
    case 'additionalProperties':
      return member(value, add);
    default:
      return value;
  }
}

function member(value: unknown, add: AddComponent): unknown {
  if (!isJsonObject(value)) return value;
  const { title, ...schema } = portable(value, add);
  if (typeof title !== 'string') return schema;
  const types = [schema.type].flat();
  const [type] = types.filter((name) => name !== 'null');
  const reference = add(title, { ...schema, type });
  return types.includes('null') ? nullable(reference) : reference;
}

function withAdditionalProperties(schema: Json): Json {
  const isObject = [schema.type].flat().includes('object');
  const isFree = isObject && !('properties' in schema) && !('additionalProperties' in schema);
  return isFree ? { ...schema, additionalProperties: true } : schema;
}

function typesToOneOf(schema: Json): Json {
  const types = [schema.type].flat() as string[];
  if (types.filter((type) => type !== 'null').length < 2) return schema;
  const { type: _types, ...common } = Object.fromEntries(Object.entries(schema).filter(([name]) => !TYPED.has(name)));
  const of = (type: string) => Object.entries(schema).filter(([name]) => KEYWORDS_OF_TYPES[type]?.includes(name));
  return { ...common, oneOf: types.map((type) => ({ type, ...Object.fromEntries(of(type)) })) };
}
