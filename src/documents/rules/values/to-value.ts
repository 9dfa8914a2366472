import type { Conventions } from '../conventions.js';
import { readAmount } from '../parsers/amounts.js';
import { orderOf, readDate } from '../parsers/dates.js';
import type { Target } from '../targets.js';
import type { RawValue } from './raw-value.js';

/** A value in the form of its field. */
export interface TypedValue {
  readonly value: string | number | boolean;
  /** Whether the conventions were only guessed, and others give another value; or what stands beside it may change it. */
  readonly isAmbiguous: boolean;
}

/** Reads what was found by the conventions of its document; undefined where it does not fit the field. */
export function toValue(target: Target, raw: RawValue, conventions: Conventions): TypedValue | undefined {
  const typed = typedValue(target, raw, conventions);
  return typed && raw.isDoubtful ? { ...typed, isAmbiguous: true } : typed;
}

function typedValue(target: Target, raw: RawValue, conventions: Conventions): TypedValue | undefined {
  const { field } = target;
  if (raw.date) {
    const value = readDate(raw.date, conventions.dateOrder);
    const [first, second] = raw.date.pair ?? [];
    const isOpen = raw.date.pair !== undefined && first !== second && orderOf(raw.date) === undefined;
    return value === undefined ? undefined : { value, isAmbiguous: isOpen && !conventions.isDateOrderSure };
  }
  if (raw.amount) {
    const read = readAmount(raw.amount, conventions.decimal);
    if (!read) return undefined;
    const { value } = read;
    if (field.kind === 'integer' && !Number.isSafeInteger(value)) return undefined;
    return { value, isAmbiguous: read.isAmbiguous && !conventions.isDecimalSure };
  }
  if (raw.known === undefined) return undefined;
  if (field.kind === 'string' && !field.options) return { value: String(raw.known), isAmbiguous: false };
  return { value: raw.known, isAmbiguous: false };
}
