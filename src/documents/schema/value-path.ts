import { isFieldName } from './field-name.js';
import { SCHEMA_LIMITS } from './schema-limits.js';
import type { ExtractionSchema, SchemaField } from './schema.types.js';

/** The way from the root to a value: the names of members, and behind that of an array the index in it. */
export type ValuePath = readonly (string | number)[];

/** How many values an array may hold. */
export const MAX_ITEMS = 10_000;

/** The longest path as text: names, an index behind each, and what separates them. */
const PATH_LENGTH = SCHEMA_LIMITS.depth * (SCHEMA_LIMITS.nameLength + '.[9999]'.length);

/** A name, with an index or without. */
const STEP = /^([^[\]]+)(?:\[(0|[1-9]\d{0,3})\])?$/;

/**
 * Reads a path such as `supplier.name` or `line_items[3].amount`; indexes count from 0.
 * A path is written in one way only, so paths that differ as texts lead to different values.
 * @returns undefined for what is none
 */
export function parsePath(text: string): ValuePath | undefined {
  if (text.length > PATH_LENGTH) return undefined;
  const steps: (string | number)[] = [];
  for (const part of text.split('.')) {
    const [, name = '', index] = STEP.exec(part) ?? [];
    if (!isFieldName(name)) return undefined;
    steps.push(name);
    if (index !== undefined) steps.push(Number(index));
  }
  return steps;
}

/** The text of a path, as `parsePath` reads it. */
export function formatPath(path: ValuePath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/**
 * The field that a path leads to: a value, or a whole object or array.
 * @returns undefined where the schema has no such field, or an array may not hold so many
 */
export function findField({ root }: ExtractionSchema, path: ValuePath): SchemaField | undefined {
  let field: SchemaField | undefined = root;
  for (const step of path) {
    if (typeof step === 'number')
      field = Number.isInteger(step) && step >= 0 && step < MAX_ITEMS ? field?.items : undefined;
    else field = field?.fields?.find(({ name }) => name === step);
    if (!field) return undefined;
  }
  return field;
}
