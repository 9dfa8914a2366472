import { foldText } from '../../platform/text/normalization/fold-text.js';
import { findQuote } from '../../platform/text/quotes/find-quote.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import { withoutPeriod } from '../rules/context/date-context.js';
import { isChanged } from '../rules/context/is-changed.js';
import type { ValueContext } from '../rules/context/is-changed.js';
import { BESIDE, withPlainSigns } from '../rules/context/text-beside.js';
import type { Conventions } from '../rules/conventions.js';
import type { Target } from '../rules/targets.js';
import { readValues } from '../rules/values/read-values.js';
import type { RawValue } from '../rules/values/raw-value.js';
import { shapeOf } from '../rules/values/shape.js';
import type { Shape } from '../rules/values/shape.js';
import { toValue } from '../rules/values/to-value.js';
import type { QuotedValue } from './quoted-value.js';

/** `No.7` is one code, as `1.7` is not. */
const CODE_BEFORE = /(?:[\p{L}\p{N}][-/_\\]|\p{N}\.)$/u;
const CODE_BEHIND = /^[-/_\\.][\p{L}\p{N}]/u;

/** Values that are no texts are quoted with less, in UTF-16 units. */
const LONGEST_QUOTE = 200;

/** UTF-16 units beside a quote that may belong to its value; more of them has other numbers, with other units. */
const NEAR: Readonly<Partial<Record<Shape, number>>> = { number: 16, date: BESIDE, email: BESIDE };

type Told = Pick<QuotedValue, 'claimed' | 'quote' | 'beside'>;
type Value = string | number | boolean;

/**
 * The value that a quote says itself, where it is the one that a model has claimed: what is kept is read from the words of
 * the document, never from the model.
 * @param conventions how the document writes dates and numbers
 * @returns undefined where the words say something else, or nothing of this kind, or what stands beside them may change it
 */
export function provenValue(target: Target, told: Told, conventions: Conventions): Value | undefined {
  const shape = shapeOf(target);
  const { quote, claimed } = told;
  if (shape === 'text') return textIn(quote, claimed)?.text;
  if (shape === 'code') return codeIn(told);
  if (quote.length > LONGEST_QUOTE) return undefined;
  const place = placeOf(shape, told);
  for (const raw of readValues(target, shape, place.text, false)) {
    if (!isOf(shape, raw, place)) continue;
    const typed = toValue(target, raw, conventions);
    if (typed && isSame(typed.value, claimed) && !isChanged(target, shape, raw, place)) return typed.value;
  }
  return undefined;
}

/** Numbers, dates and addresses are read with what is beside them; all else begins with the quote. */
function placeOf(shape: Shape, { quote, beside }: Told): ValueContext {
  const [plain, ...around] = [quote, ...beside].map(withPlainSigns) as [string, string, string];
  const [before, behind] = shape === 'date' ? withoutPeriod(around) : around;
  const units = NEAR[shape] ?? 0;
  const first = Math.max(0, before.length - units);
  const near = before.slice(first);
  return {
    text: `${near}${plain}${behind.slice(0, units)}`,
    start: near.length,
    end: near.length + plain.length,
    beside: [before.slice(0, first), behind.slice(units)],
  };
}

/** A sign that stands beside the quote belongs to its number. */
function isOf(shape: Shape, { start, end }: RawValue, place: ValueContext): boolean {
  if (shape === 'number') return end > place.start && start < place.end;
  return start >= place.start && end <= place.end;
}

/** A text that stands in the quote, and where. */
function textIn(quote: string, claimed: Told['claimed']): (TextSpan & { readonly text: string }) | undefined {
  const span = findQuote(quote, String(claimed));
  return span && { ...span, text: quote.slice(span.start, span.end).replaceAll(/\s+/g, ' ') };
}

/** A code that does not go on beside the quote, or in it. */
function codeIn({ quote, claimed, beside: [before, behind] }: Told): string | undefined {
  const found = textIn(quote, claimed);
  if (!found) return undefined;
  const isCut =
    CODE_BEFORE.test(withPlainSigns(`${before}${quote.slice(0, found.start)}`)) ||
    CODE_BEHIND.test(withPlainSigns(`${quote.slice(found.end)}${behind}`));
  return isCut ? undefined : found.text;
}

function isSame(value: Value, claimed: Told['claimed']): boolean {
  if (typeof value === 'number') return value === Number(claimed);
  return foldText(String(value)).text.replaceAll(' ', '') === foldText(String(claimed)).text.replaceAll(' ', '');
}
