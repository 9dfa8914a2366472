import { BadRequest } from '../../errors.js';
import { isCalendarDate } from './calendar-date.js';
import type { FieldKind, SchemaField } from './schema.types.js';

/** The value of a field that holds no others; null: it has none. */
export type FieldValue = string | number | boolean | null;

/** The longest text that a field holds, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 10_000;

/** So many options of a field are told. */
const TOLD_OPTIONS = 10;

/** So much of an option is told, in UTF-16 units. */
const TOLD_LENGTH = 60;

/** What a value must be, after "value must be". */
const EXPECTED: Readonly<Record<FieldKind, string>> = {
  object: '',
  array: '',
  string: `a text of at most ${MAX_TEXT_LENGTH} characters of Unicode without NUL`,
  number: 'a number',
  integer: 'an integer between -9007199254740991 and 9007199254740991',
  boolean: 'true or false',
  date: 'a day of the calendar as "YYYY-MM-DD"',
};

/** Whether a JSON value is one of a kind; null is of none. Objects and lists are not looked at: they fit nothing. */
export function fitsKind(kind: FieldKind, value: unknown): value is string | number | boolean {
  if (kind === 'integer') return Number.isSafeInteger(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  if (kind === 'date') return isCalendarDate(value);
  return kind === 'string' && value.length <= MAX_TEXT_LENGTH && value.isWellFormed() && !value.includes('\0');
}

/**
 * A value that somebody gives a field.
 * Null stands for no value, so it fits what is nullable, and what its object need not have.
 * @throws BadRequest, `param` value, that says what is expected
 */
export function requireFieldValue(field: SchemaField, value: unknown): FieldValue {
  const { kind, options, isNullable, isRequired } = field;
  if (kind === 'object' || kind === 'array') {
    throw new BadRequest(`An ${kind} has no value of its own: name one of the fields in it.`, 'value');
  }
  if (value === null && (isNullable || !isRequired)) return null;
  if (fitsKind(kind, value) && (!options || options.includes(value))) return value;
  throw new BadRequest(`value must be ${expectedOf(field)}.`, 'value');
}

function expectedOf({ kind, options, isNullable, isRequired }: SchemaField): string {
  const alternatives = options ? toldOptions(options) : [EXPECTED[kind]];
  if (isNullable || !isRequired) alternatives.push('null');
  return `${options && options.length > 1 ? 'one of ' : ''}${alternatives.join(options ? ', ' : ' or ')}`;
}

function toldOptions(options: readonly (string | number | boolean)[]): string[] {
  const told = options.slice(0, TOLD_OPTIONS).map((option) => {
    const text = JSON.stringify(option);
    return text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text;
  });
  return options.length > TOLD_OPTIONS ? [...told, `${options.length - TOLD_OPTIONS} others`] : told;
}
