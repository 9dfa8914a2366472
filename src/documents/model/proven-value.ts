import { foldText } from '../../platform/text/normalization/fold-text.js';
import { findQuote } from '../../platform/text/quotes/find-quote.js';
import type { Conventions } from '../rules/conventions.js';
import type { Target } from '../rules/targets.js';
import { readValues } from '../rules/values/read-values.js';
import { shapeOf } from '../rules/values/shape.js';
import { toValue } from '../rules/values/to-value.js';
import type { QuotedValue } from './quoted-value.js';

/** Values that are no texts are quoted with less, in UTF-16 units. */
const LONGEST_QUOTE = 200;

/**
 * The value that a quote says itself, where it is the one that a model has claimed: what is kept is read from the words of
 * the document, never from the model.
 * @param conventions how the document writes dates and numbers
 * @returns undefined where the words say something else, or nothing of this kind
 */
export function provenValue(
  target: Target,
  { claimed, quote, beside }: Pick<QuotedValue, 'claimed' | 'quote' | 'beside'>,
  conventions: Conventions,
): string | number | boolean | undefined {
  const shape = shapeOf(target);
  if (shape === 'text' || shape === 'code') return textIn(quote, claimed);
  if (quote.length > LONGEST_QUOTE) return undefined;
  const isNumber = shape === 'number';
  if (isNumber && hasSignBeside(beside)) return undefined;
  // A sign that stands beside the quote belongs to its number.
  const [before, behind] = isNumber ? beside : ['', ''];
  for (const raw of readValues(target, shape, `${before}${quote}${behind}`, false)) {
    const isInQuote = raw.end > before.length && raw.start < before.length + quote.length;
    const typed = isInQuote ? toValue(target, raw, conventions) : undefined;
    if (typed && isSame(typed.value, claimed)) return typed.value;
  }
  return undefined;
}

/** Whether something stands beside a number that may belong to it: a sign behind a blank, brackets, a fraction's point. */
function hasSignBeside([before, behind]: QuotedValue['beside']): boolean {
  const isBracketed = /\([^()]*$/.test(before) && /^[^()]*\)/.test(behind);
  return isBracketed || /[-−–]\s+$|[.,]$/.test(before) || /^\s*[-−–](?![\p{L}\p{N}])/u.test(behind);
}

function textIn(quote: string, claimed: QuotedValue['claimed']): string | undefined {
  const span = findQuote(quote, String(claimed));
  return span && quote.slice(span.start, span.end).replaceAll(/\s+/g, ' ');
}

function isSame(value: string | number | boolean, claimed: QuotedValue['claimed']): boolean {
  if (typeof value === 'number') return value === Number(claimed);
  return foldText(String(value)).text.replaceAll(' ', '') === foldText(String(claimed)).text.replaceAll(' ', '');
}
