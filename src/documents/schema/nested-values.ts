import { setMember } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { FieldValue } from './field-value.js';
import { parsePath } from './value-path.js';
import type { ExtractionSchema, SchemaField } from './schema.types.js';

/** A value, and where it belongs: `line_items[3].amount`. */
export interface PlacedValue {
  readonly path: string;
  readonly value: FieldValue;
}

/** Values by the steps of their paths. */
type Branch = Map<string | number, Branch | FieldValue>;

/**
 * Makes one JSON object of the values of a document. It has every field of the schema, in its order: null for a value that
 * is not there, and an array as long as its largest index asks for, so that a path leads to the same value here.
 * What the schema does not know is left out.
 */
export function nestValues({ root }: ExtractionSchema, values: Iterable<PlacedValue>): JsonObject {
  const tree: Branch = new Map();
  for (const { path, value } of values) {
    const steps = parsePath(path);
    if (steps) plant(tree, steps, value);
  }
  return toObject(root, tree);
}

function plant(tree: Branch, steps: readonly (string | number)[], value: FieldValue): void {
  let branch = tree;
  for (const step of steps.slice(0, -1)) {
    let next = branch.get(step);
    if (!(next instanceof Map)) branch.set(step, (next = new Map()));
    branch = next;
  }
  const last = steps.at(-1);
  if (last !== undefined) branch.set(last, value);
}

/** Goes down as deep as the schema. */
function toJson(field: SchemaField, found: Branch | FieldValue | undefined): unknown {
  if (field.kind === 'object') return toObject(field, found);
  if (field.kind === 'array') return toArray(field, found);
  return found instanceof Map ? null : (found ?? null);
}

function toObject({ fields = [] }: SchemaField, found: Branch | FieldValue | undefined): JsonObject {
  const branch = found instanceof Map ? found : undefined;
  const object: JsonObject = {};
  for (const field of fields) setMember(object, field.name, toJson(field, branch?.get(field.name)));
  return object;
}

function toArray({ items }: SchemaField, found: Branch | FieldValue | undefined): unknown[] {
  if (!items || !(found instanceof Map)) return [];
  let length = 0;
  for (const step of found.keys()) if (typeof step === 'number') length = Math.max(length, step + 1);
  return Array.from({ length }, (_, index) => toJson(items, found.get(index)));
}
