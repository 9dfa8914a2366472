import type { Target } from '../targets.js';
import type { RawValue } from '../values/raw-value.js';
import type { Shape } from '../values/shape.js';
import { isDenied, isPartOfOption } from './choice-context.js';
import { isPartOfDate } from './date-context.js';
import { hasSignBeside, isInRange, isPartOfDuration, isPartOfNumber } from './number-context.js';
import { BESIDE, withPlainSigns } from './text-beside.js';
import type { Beside } from './text-beside.js';

/** A text that values are read from, as `withPlainSigns` has it, the place of a quote in it, and what stands beside it. */
export interface ValueContext {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly beside: Beside;
}

/** Whether what stands beside a value makes another one of it, or may do so. */
export function isChanged(target: Target, shape: Shape, raw: RawValue, place: ValueContext): boolean {
  const beside = besideOf(place, raw);
  const written = place.text.slice(raw.start, raw.end);
  if (shape === 'date') return isPartOfDate(beside, written);
  if (shape === 'number') return isChangedNumber(raw, place, beside);
  if (shape === 'boolean') return isDenied(beside);
  if (shape !== 'option') return false;
  if (typeof raw.known === 'number' && (isPartOfNumber(beside, written) || hasSignBeside(beside, written))) return true;
  return isDenied(beside) || isPartOfOption(target.field.options ?? [], written, beside);
}

/** As `isChanged` says, of a value in a text as its document has it. */
export function isChangedIn(target: Target, shape: Shape, raw: RawValue, text: string): boolean {
  const before = withPlainSigns(text.slice(Math.max(0, raw.start - BESIDE), raw.start));
  const behind = withPlainSigns(text.slice(raw.end, raw.end + BESIDE));
  const [start, end] = [before.length, before.length + raw.end - raw.start];
  const near = `${before}${text.slice(raw.start, raw.end)}${behind}`;
  return isChanged(target, shape, { ...raw, start, end }, { text: near, start, end, beside: ['', ''] });
}

function besideOf(
  { text, beside: [before, behind] }: ValueContext,
  { start, end }: Pick<RawValue, 'start' | 'end'>,
): Beside {
  return [`${before}${text.slice(0, start)}`, `${text.slice(end)}${behind}`];
}

function isChangedNumber({ start, end, amount }: RawValue, place: ValueContext, beside: Beside): boolean {
  if (!amount) return isPartOfDuration(beside);
  const { written, isNegative } = amount;
  if (isPartOfNumber(beside, written)) return true;
  // Of what is negative as it is quoted, the sign is its own.
  const signed = isNegative ? { start: Math.min(start, place.start), end: Math.max(end, place.end) } : { start, end };
  if (!isNegative && isInRange([place.text.slice(place.start, start), beside[1]], written)) return false;
  return hasSignBeside(besideOf(place, signed), written);
}
