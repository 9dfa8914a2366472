import type { AnyJson } from '../probes/any-json.js';

/**
 * The ways to all places of a schema at which a text may stand, such as `messages[].content`; `*` stands for the members
 * that the schema does not name. Words of a fixed list are no texts.
 * @param root the document that references point into
 */
export function textsOf(root: AnyJson, schema: AnyJson): string[] {
  return [...new Set(walk(root, schema, ''))].sort();
}

function walk(root: AnyJson, schema: AnyJson, way: string): string[] {
  if (schema.$ref) return walk(root, resolve(root, schema.$ref), way);
  const choices = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (choices.length > 0) return choices.flatMap((choice: AnyJson) => walk(root, choice, way));
  if (schema.const !== undefined || schema.enum) return [];
  const types: string[] = schema.type === undefined ? ['string', 'object', 'array'] : [schema.type].flat();
  return [
    ...(types.includes('string') ? [way === '' ? '*' : way] : []),
    ...(types.includes('array') ? walk(root, schema.items ?? { type: 'string' }, `${way}[]`) : []),
    ...(types.includes('object') ? membersOf(root, schema, way === '' ? '' : `${way}.`) : []),
  ];
}

function membersOf(root: AnyJson, schema: AnyJson, prefix: string): string[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    walk(root, member as AnyJson, `${prefix}${name}`),
  );
  const { additionalProperties = true } = schema;
  if (additionalProperties === false) return named;
  return [
    ...named,
    ...walk(root, additionalProperties === true ? { type: 'string' } : additionalProperties, `${prefix}*`),
  ];
}

function resolve(root: AnyJson, pointer: string): AnyJson {
  const names = pointer.split('/').slice(1);
  return names.reduce((value, name) => value[name.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

/** A value that has a text at a way, and nothing else. */
export function valueAt(way: string, text: string): AnyJson {
  const [, step = '', rest = ''] = /^(\[\]|[^.[]+)\.?(.*)$/s.exec(way) ?? [];
  const below = rest === '' ? text : valueAt(rest, text);
  if (step === '[]') return [below];
  return { [step === '*' ? 'anything' : step]: below };
}
