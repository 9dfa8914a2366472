import { readDecimal } from '../../../platform/text/support/decimals.js';

/** A number as a text has it. */
export interface FoundAmount {
  /** Its place, with its sign. */
  readonly start: number;
  readonly end: number;
  /** Its digits with what stands between them, without a sign. */
  readonly written: string;
  readonly isNegative: boolean;
  readonly isPercent: boolean;
}

/** How a document writes fractions. */
export type DecimalSign = '.' | ',';

/** Digits with one separator between each two at most: a blank counts only before three of them. */
const NUMBER = /\d(?:(?:[.,'’]| (?=\d{3}(?!\d))|[\u00a0\u202f\u2009](?=\d))?\d)*/g;

const MINUS = /[-−–]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const CURRENCY_CODE = /(?:^|[^\p{L}])(?:[A-Z]{3}|Fr\.?|US)$/u;
const UNIT_BEHIND = /^(?:[A-Z]{3}|x|%|h|kg|km|m|l|g|t|pcs|st|stk|std|u|ud|uds)(?![\p{L}\p{N}])/iu;

/** A number has so many units at most. */
const LONGEST = 30;

/** Finds the numbers of a text; those that are parts of words, dates or other signs are left out. */
export function findAmounts(text: string): FoundAmount[] {
  const amounts: FoundAmount[] = [];
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    const end = index + written.length;
    const start = startOf(text, index);
    if (written.length > LONGEST || start === undefined || !endsWell(text, end)) continue;
    const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 3)];
    const isBehind = /^-(?![\p{L}\p{N}-])/u.test(after) && !/^-\s/.test(after);
    const isNegative =
      MINUS.test(text.slice(start, index)) || isBehind || (before.endsWith('(') && /^\s?\)/.test(after));
    const isPercent = /^\s?%/.test(after);
    amounts.push({ start, end, written, isNegative, isPercent });
  }
  return amounts;
}

/**
 * Reads a number by the document's own sign of fractions.
 * @returns undefined where it is none, as 1.2.3; `isAmbiguous` where the other sign would give another value
 */
export function readAmount(
  { written, isNegative }: Pick<FoundAmount, 'written' | 'isNegative'>,
  decimal: DecimalSign,
): { readonly value: number; readonly isAmbiguous: boolean } | undefined {
  const readings = readDecimal(written.replaceAll(/[’\u00a0\u202f\u2009]/g, "'"));
  const grouped = readings.length > 1 && !written.includes(decimal);
  const chosen = readings[grouped ? 0 : readings.length - 1];
  if (chosen === undefined) return undefined;
  const value = Number(chosen) * (isNegative && Number(chosen) !== 0 ? -1 : 1);
  return { value, isAmbiguous: readings.length > 1 };
}

/** Which sign of fractions a number tells of; undefined where it may be either. */
export function decimalSignOf(written: string): DecimalSign | undefined {
  const [last] = written.match(/[.,](?=\d{1,2}$)/) ?? [];
  if (last) return last as DecimalSign;
  return /[.,]\d{3}[.,]\d{3}/.test(written) ? (written.includes('.') ? ',' : '.') : undefined;
}

/** Where a number begins with its sign; undefined where it is a part of something else. */
function startOf(text: string, index: number): number | undefined {
  const before = text.charAt(index - 1);
  if (MINUS.test(before)) {
    const first = text.charAt(index - 2);
    return LETTER_OR_DIGIT.test(first) || first === '/' ? undefined : index - 1;
  }
  if (/[./,:#'’_\\]/.test(before) && LETTER_OR_DIGIT.test(text.charAt(index - 2))) {
    return /[,:]/.test(before) || CURRENCY_CODE.test(text.slice(Math.max(0, index - 5), index)) ? index : undefined;
  }
  if (!LETTER_OR_DIGIT.test(before)) return index;
  return CURRENCY_CODE.test(text.slice(Math.max(0, index - 4), index)) ? index : undefined;
}

function endsWell(text: string, end: number): boolean {
  const after = text.slice(end, end + 4);
  if (/^[-/.:_\\][\p{L}\p{N}]/u.test(after)) return false;
  return !LETTER_OR_DIGIT.test(after.charAt(0)) || UNIT_BEHIND.test(text.slice(end, end + 6));
}
