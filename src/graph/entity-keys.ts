import { isObjectType } from 'graphql';
import type { ConstDirectiveNode, GraphQLSchema } from 'graphql';
import type { ReferenceResolver } from './domain.js';

/**
 * Checks at start that every key of an entity is one that its reference resolver reads: a router may ask by any of them.
 * @throws Error that names the keys that nobody reads
 */
export function checkKeys(schema: GraphQLSchema, references: ReadonlyMap<string, ReferenceResolver>): void {
  const unread = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type)) return [];
    const read = references.get(type.name)?.keys ?? ['id'];
    const keys = (type.astNode?.directives ?? []).flatMap(keyOf);
    return keys.filter((key) => !read.includes(key)).map((key) => `${type.name} by "${key}"`);
  });
  if (unread.length > 0) throw new Error(`No reference resolver reads these keys: ${unread.join(', ')}.`);
}

function keyOf({ name, arguments: given }: ConstDirectiveNode): string[] {
  if (name.value !== 'key') return [];
  const fields = given?.find((argument) => argument.name.value === 'fields')?.value;
  return fields?.kind === 'StringValue' ? [fields.value.replace(/\s+/g, ' ').trim()] : [];
}
