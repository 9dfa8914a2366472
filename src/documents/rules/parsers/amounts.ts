import { readDecimal } from '../../../platform/text/support/decimals.js';

/** A number as a text has it. */
export interface FoundAmount {
  /** Its place, with its sign, and the currency in between. */
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

const DASH = String.raw`[\p{Pd}\u2212\u2796]`;
const IS_DASH = new RegExp(DASH, 'u');
const MONEY = String.raw`(?:\p{Sc}|US\$|[A-Z]{3}|Fr\.?)`;
/** A sign right before a number, or before its currency. */
const SIGN_BEFORE = new RegExp(`${DASH}(?:${MONEY}[^\\S\\n]{0,2})?$`, 'u');
/** A sign right behind a number, or behind its currency: what follows is no word that it belongs to. */
const SIGN_BEHIND = new RegExp(
  `^(?:[^\\S\\n]?${MONEY})?${DASH}(?=[^\\S\\n]{0,2}(?:$|[\\n|)])|[^\\S\\n]{1,2}${MONEY}(?![\\p{L}\\p{N}]))`,
  'u',
);
const OPENED = new RegExp(`[(\uff08][^\\S\\n]?(?:${MONEY}[^\\S\\n]{0,2})?$`, 'u');
const CLOSED = /^[^\S\n]?[)\uff09]/;
/** What a sign may stand in front of, or behind: as much of the text is looked at. */
const NEAR = 16;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const CURRENCY_CODE = /(?:^|[^\p{L}])(?:[A-Z]{3}|Fr\.?|US)$/u;
const UNIT_BEHIND = /^(?:[A-Z]{3}|x|%|h|kg|km|m|l|g|t|pcs|st|stk|std|u|ud|uds)(?![\p{L}\p{N}])/iu;

/** A number has so many units at most. */
const LONGEST = 30;

/** Finds the numbers of a text; those that are parts of words, dates or other signs are left out. */
export function findAmounts(text: string): FoundAmount[] {
  const amounts: FoundAmount[] = [];
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    const behind = index + written.length;
    if (written.length > LONGEST || !beginsWell(text, index) || !endsWell(text, behind)) continue;
    const [before, after] = [text.slice(Math.max(0, index - NEAR), index), text.slice(behind, behind + NEAR)];
    const isPercent = /^\s?%/.test(after);
    const sign = signOf(before, after);
    const [start, end] = [index - (sign?.before ?? 0), behind + (sign?.behind ?? 0)];
    amounts.push({ start, end, written, isNegative: sign !== undefined, isPercent });
  }
  return amounts;
}

/** How much of what stands beside a number is its minus sign, in UTF-16 units; undefined: it has none. */
function signOf(before: string, after: string): { readonly before: number; readonly behind: number } | undefined {
  const [minus] = SIGN_BEFORE.exec(before) ?? [];
  if (minus && !LETTER_OR_DIGIT.test(before.charAt(before.length - minus.length - 1))) {
    return { before: minus.length, behind: 0 };
  }
  const [behind] = SIGN_BEHIND.exec(after) ?? [];
  if (behind) return { before: 0, behind: behind.length };
  const [[opened] = [], [closed] = []] = [OPENED.exec(before) ?? [], CLOSED.exec(after) ?? []];
  return opened && closed ? { before: opened.length, behind: closed.length } : undefined;
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

/** Whether a number is not cut from something else. */
function beginsWell(text: string, index: number): boolean {
  const before = text.charAt(index - 1);
  const first = text.charAt(index - 2);
  if (IS_DASH.test(before)) return !LETTER_OR_DIGIT.test(first) && first !== '/';
  if (/[./,:#'’_\\]/.test(before) && LETTER_OR_DIGIT.test(first)) {
    return /[,:]/.test(before) || CURRENCY_CODE.test(text.slice(Math.max(0, index - 5), index));
  }
  return !LETTER_OR_DIGIT.test(before) || CURRENCY_CODE.test(text.slice(Math.max(0, index - 4), index));
}

function endsWell(text: string, end: number): boolean {
  const after = text.slice(end, end + 4);
  if (/^[-/.:_\\][\p{L}\p{N}]/u.test(after)) return false;
  return !LETTER_OR_DIGIT.test(after.charAt(0)) || UNIT_BEHIND.test(text.slice(end, end + 6));
}
