import type { ExtractionSchema, FieldKind, SchemaField } from '../../../../src/documents/schema/schema.types.js';

/** A field as the set writes it down: its kind, or the fields of an object, or of the elements of an array. */
export type FieldShape =
  | FieldKind
  | { readonly kind: FieldKind; readonly labels?: readonly string[]; readonly options?: readonly string[] }
  | { readonly fields: FieldShapes }
  | { readonly rows: FieldShapes }
  | { readonly list: FieldShape; readonly labels?: readonly string[] };

/** Fields by their names. */
export type FieldShapes = { readonly [name: string]: FieldShape };

/** Makes a schema of its short form. */
export function toSchema(fields: FieldShapes): ExtractionSchema {
  const root = toObject('', fields);
  return { root, fieldCount: countFields(root) };
}

function toField(name: string, shape: FieldShape): SchemaField {
  const usual = { name, isRequired: false, isNullable: true };
  if (typeof shape === 'string') return { ...usual, kind: shape, labels: [] };
  if ('fields' in shape) return toObject(name, shape.fields);
  if ('rows' in shape) return { ...usual, kind: 'array', labels: [], items: toObject('', shape.rows) };
  if ('list' in shape) {
    return { ...usual, kind: 'array', labels: shape.labels ?? [], items: toField('', shape.list) };
  }
  const { kind, labels = [], options } = shape;
  return { ...usual, kind, labels, ...(options ? { options } : {}) };
}

function toObject(name: string, fields: FieldShapes): SchemaField {
  const children = Object.entries(fields).map(([child, shape]) => toField(child, shape));
  return { name, kind: 'object', isRequired: true, isNullable: false, labels: [], fields: children };
}

function countFields({ fields = [], items }: SchemaField): number {
  return fields.length + [...fields, ...(items ? [items] : [])].reduce((sum, field) => sum + countFields(field), 0);
}
