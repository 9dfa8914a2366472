import type { ExtractionSchema, SchemaField } from '../../../../src/documents/schema/schema.types.js';

/** The fields of a schema, a line each: `lines[].amount number?! 1|2`; `?` may be null, `!` is required. */
export function outlineOf({ root }: ExtractionSchema): string[] {
  return (root.fields ?? []).flatMap((field) => linesOf(field, field.name));
}

function linesOf({ kind, isNullable, isRequired, options, fields, items }: SchemaField, path: string): string[] {
  const values = options ? ` ${options.map((option) => JSON.stringify(option)).join('|')}` : '';
  const line = `${path} ${kind}${isNullable ? '?' : ''}${isRequired ? '!' : ''}${values}`;
  const inside = fields?.flatMap((field) => linesOf(field, `${path}.${field.name}`)) ?? [];
  return [line, ...inside, ...(items ? linesOf(items, `${path}[]`) : [])];
}
