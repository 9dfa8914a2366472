import { isJsonObject, memberOf } from '../../platform/json/json-object.js';
import type { SchemaField } from '../schema/schema.types.js';

/** A field with the names that lead to it from the object that a row is made of. */
export interface ColumnField {
  readonly names: readonly string[];
  /** A single value, or an array. */
  readonly field: SchemaField;
}

/** What a row of a document begins with. */
export const DOCUMENT_COLUMNS = ['document_id', 'filename', 'document_status', 'pages', 'complete'] as const;

/** The fields of an object and of the objects in it, in the order of the schema, but not what arrays hold. */
export function flattenFields(object: SchemaField, names: readonly string[] = []): ColumnField[] {
  return (object.fields ?? []).flatMap((field) => {
    const path = [...names, field.name];
    return field.kind === 'object' ? flattenFields(field, path) : [{ names: path, field }];
  });
}

/** The heads of columns: `supplier.name`, with `fields.` before one that another column has already. */
export function columnHeads(taken: readonly string[], fields: readonly ColumnField[]): string[] {
  const heads = new Set(taken);
  for (const { names } of fields) {
    let head = names.join('.');
    while (heads.has(head)) head = `fields.${head}`;
    heads.add(head);
  }
  return [...heads];
}

/** The member of an object, or of an object in it; undefined where there is none. */
export function memberAt(object: unknown, names: readonly string[]): unknown {
  let value = object;
  for (const name of names) value = isJsonObject(value) ? memberOf(value, name) : undefined;
  return value;
}
