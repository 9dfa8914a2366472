import { z } from 'zod';
import { memberOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { fitsKind } from './field-value.js';
import { requireKeywords, requireOnly } from './schema-keywords.js';
import { SCHEMA_LIMITS } from './schema-limits.js';
import { pointerTo, schemaProblem } from './schema-problem.js';
import type { FieldKind, SchemaField } from './schema.types.js';

/** What a schema says about the values of a field. */
export type ValueRule = Pick<SchemaField, 'kind' | 'isNullable' | 'options'>;

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

/** What zod writes beside `format: date`; it says the same once more. */
const DATE_PATTERN = z.regexes.date.source;

/**
 * Reads kind, null and options of a schema that has neither `$ref` nor `anyOf`.
 * @throws BadRequest for keywords that its kind does not have, too
 */
export function readValueRule(schema: JsonObject, pointer: string): ValueRule {
  const type = readType(schema, pointer);
  const { values, place } = readChoices(schema, pointer);
  if (values === undefined) {
    if (type.kind === undefined) {
      requireKeywords(schema, pointer, 'untyped');
      throw schemaProblem(pointer, `a schema has a "type": ${[...TYPES].join(', ')}.`);
    }
    const kind = refineKind(schema, pointer, type.kind);
    return { kind, isNullable: type.isNullable };
  }
  const options = [...new Set(values.filter((value) => value !== null))];
  const isNullable = values.includes(null) && (type.kind === undefined || type.isNullable);
  const kind = refineKind(schema, pointer, type.kind ?? kindOfAll(options));
  const stranger = options.find((option) => !fitsKind(kind, option));
  if (stranger !== undefined || options.length === 0) {
    throw schemaProblem(
      place,
      `the values of an enum, and a const, are of one type: texts, numbers or booleans, ${kind} here.`,
    );
  }
  return { kind, isNullable, options: Object.freeze(options as (string | number | boolean)[]) };
}

function readType(schema: JsonObject, pointer: string): { readonly kind?: FieldKind; readonly isNullable: boolean } {
  const type = memberOf(schema, 'type');
  if (type === undefined) return { isNullable: false };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [kind] = types.filter((name) => name !== 'null');
  if (!TYPES.has(kind) || types.length > 2 || (types.length === 2 && !types.includes('null'))) {
    throw schemaProblem(
      pointerTo(pointer, 'type'),
      `a type is one of ${[...TYPES].join(', ')}, alone or in a list with "null".`,
    );
  }
  return { kind: kind as FieldKind, isNullable: types.includes('null') };
}

/** A string is a date where its format says so. */
function refineKind(schema: JsonObject, pointer: string, type: FieldKind): FieldKind {
  const kind = type === 'string' && memberOf(schema, 'format') === 'date' ? 'date' : type;
  requireKeywords(schema, pointer, kind);
  if (kind === 'string') requireOnly(schema, pointer, 'format', 'date');
  if (kind === 'date') requireOnly(schema, pointer, 'pattern', DATE_PATTERN);
  if (kind === 'integer') {
    requireOnly(schema, pointer, 'minimum', Number.MIN_SAFE_INTEGER);
    requireOnly(schema, pointer, 'maximum', Number.MAX_SAFE_INTEGER);
  }
  return kind;
}

function readChoices(
  schema: JsonObject,
  pointer: string,
): { readonly values?: readonly unknown[]; readonly place: string } {
  const place = pointerTo(pointer, 'enum');
  const list = memberOf(schema, 'enum');
  const { options: most } = SCHEMA_LIMITS;
  if (list !== undefined && !(Array.isArray(list) && list.length >= 1 && list.length <= most)) {
    throw schemaProblem(place, `an enum is a list of 1 to ${most} values.`);
  }
  if (!Object.hasOwn(schema, 'const')) return { ...(list !== undefined && { values: list }), place };
  const only = schema['const'];
  if (list !== undefined && !list.includes(only)) throw schemaProblem(place, 'an enum has the value of "const" in it.');
  return { values: [only], place: pointerTo(pointer, 'const') };
}

function kindOfAll(values: readonly unknown[]): FieldKind {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => typeof value === 'string')) return 'string';
  return values.every(Number.isInteger) ? 'integer' : 'number';
}
