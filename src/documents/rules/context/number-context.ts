import { toScale } from '../../../platform/text/support/units.js';
import { findCurrencies } from '../parsers/currencies.js';
import type { Beside } from './text-beside.js';

const MINUS_BEFORE = new RegExp(
  [
    String.raw`(?:[-△▲▽▼]|\./\.)[^\S\n]*(?:\|[^\S\n]*)?$`,
    // At the end of a line, but no ruled one.
    String.raw`(?<!-)-[^\S\n]*\n\s*$`,
    String.raw`(?<![\p{L}\p{N}])(?:minus|moins|menos|negativ\p{L}{0,2}|n[ée]gati(?:f|ve)|cr|dr)\.?[\s|:]*$`,
  ].join('|'),
  'iu',
);
/** `5.00 - due` and `5.00 -3.00` are no sign of the first number. */
const MINUS_BEHIND = /^(?:-(?![\p{L}\p{N}])| +-(?! ?[\p{L}\p{N}\p{Sc}]))/u;
/** Debit and credit, as statements of accounts have them. */
const SIDE_BEHIND = /^[^\S\n]*(?:cr|dr|credit|debit|haben|soll)(?!\p{L})/iu;
const SIDE_OF_AMOUNT = /^[^\S\n]*[HS](?![\p{L}\p{N}.])/u;
const OPENED = /[([{<][\s|+-]*$/;
/** Words behind it make a remark of what is in brackets. */
const CLOSED = /^[^\S\n]*%?[^\S\n]*(?:[)\]}>(\n|\d]|$)/;

/** A number and a sign between digits that the number is cut from. */
const DIGIT_BEFORE = /\p{N}[^\s\p{L}\p{N}\p{Sc}%;|()[\]{}<>"=*×+]$|\p{N}\s?\/\s?$|(?<!\.)\.$|,$/u;
const DIGIT_BEHIND = /^[^\s\p{L}\p{N}\p{Sc}%;|()[\]{}<>"=*×+]\p{N}|^\^|^\p{No}/u;
const DURATION_CUT = /\p{N}(?:\s?[/\u2044\u2215]\s?|[.,:'])$/u;
const RANGE_BEFORE = /(?<![\d.,/-]\s?)(\d{1,4}) - $/;
/** What is left of a number where its separator has a blank or a line break beside it. */
const GROUP_BEFORE = /(?<!\d)\d{1,3}\s*[.,'’\u066c]\s*$/;
const GROUP_BEHIND = /^\s*[.,'’\u066c]\s*\d{3}(?!\d)/;
const DECIMAL_BEFORE = /\d[.,]\s$/;
const DECIMAL_BEHIND = /^[.,]\s\d{2}(?!\d)/;
/** `7 1/2`, but neither `7 1/2/2024` nor `7 1/2024`, nor a page's `1/2` in the next line. */
const FRACTION = /^[^\S\n]{0,2}(?:\d{1,2}\s?[/\u2044\u2215]\s?\d{1,3}(?![\d/])|\p{No})/u;

const POWER = /^\s*(?:[x×*·⋅∙✕✖]\s*10\s*(?:[\^-]|\*\*|\p{No}|e[+-]?\d)|e[+-]?\d)/iu;
const SAME_LINE = /^(?:[^\S\n]|\|)*$/;
const OTHER_CURRENCY_BEFORE = /(?:\p{Sc}|(?<!\p{L})(?:kr|Kč|zł|Rs|Ft|Fr)\.?)(?:[^\S\n]|\|)*$/u;
const OTHER_CURRENCY_BEHIND = /^(?:[^\S\n]|\|)*(?:\p{Sc}|(?:kr|Kč|zł|Rs|Ft|Fr)(?!\p{L})\.?)/u;
const WORD_BEFORE = /(?<![\p{L}\p{N}])(\p{L}+)\.?[\s|]*$/u;
const WORD_BEHIND = /^[\s|(]*(?:in )?(\p{L}+)/u;
/** `T€` and `kEUR`. */
const SCALED_CURRENCY = /^[\s|(]*(?:in )?(?:[tk]|mn?|mio|bn)(?:\p{Sc}|(?:eur|usd|gbp|chf|jpy)(?!\p{L}))/iu;
const SCALED_CURRENCY_BEFORE = /(?<!\p{L})(?:[tk]|mn?|mio|bn)(?:\p{Sc}|eur|usd|gbp|chf|jpy)[\s|]*$/iu;
const UNSPACED_SCALE = /^[\s|]*[百千万萬億亿兆백천만억조]/u;
/** Besides those of `toScale`. */
const SCALES = new Set(
  'k tsd thousands hundred hundreds hundert milliers mill mln mlrd mia mld bln billones billón billionen trillion trillions tn lakh lakhs lac crore crores tys tusen тыс млн млрд'.split(
    ' ',
  ),
);
/** Units elsewhere, and scales of money. */
const SCALES_OF_MONEY = new Set(['m', 'mm', 'b', 't']);

/** Whether signs, brackets or words beside a number may make another sign of it. @param written its digits */
export function hasSignBeside([before, behind]: Beside, written: string): boolean {
  const [near, follows] = [beforeCurrency(before), behindCurrency(behind)];
  if ([before, near].some((text) => MINUS_BEFORE.test(text))) return true;
  if ([behind, follows].some((text) => MINUS_BEHIND.test(text) || SIDE_BEHIND.test(text))) return true;
  if (/[.,]\d\d$/.test(written) && (SIDE_OF_AMOUNT.test(behind) || SIDE_OF_AMOUNT.test(follows))) return true;
  return OPENED.test(near) && CLOSED.test(follows);
}

/** Whether a whole number, of no money, ends a range that is quoted with it, as `5 - 10 days` is. */
export function isInRange([quoted, behind]: Beside, written: string): boolean {
  const [, first] = RANGE_BEFORE.exec(quoted) ?? [];
  const isAscending = first !== undefined && /^\d{1,4}$/.test(written) && Number(first) < Number(written);
  return isAscending && behindCurrency(behind) === behind && !MINUS_BEHIND.test(behind);
}

/** Whether more of a number of days or months stands before it. It has no sign: `Term - 2 years`. */
export function isPartOfDuration([before]: Beside): boolean {
  return DURATION_CUT.test(before);
}

/** Whether more of a number stands beside it: digits, a fraction, a power of ten or a word such as `million`. */
export function isPartOfNumber([before, behind]: Beside, written: string): boolean {
  if (DIGIT_BEFORE.test(before) || DIGIT_BEHIND.test(behind) || POWER.test(behind)) return true;
  if (/^\d{3}(?!\d)/.test(written) && GROUP_BEFORE.test(before)) return true;
  if (/^\d\d$/.test(written) && DECIMAL_BEFORE.test(before)) return true;
  const isOpen = !/[.,]\d{1,2}$/.test(written);
  if (isOpen && (GROUP_BEHIND.test(behind) || DECIMAL_BEHIND.test(behind))) return true;
  if (/^\d+$/.test(written) && FRACTION.test(behind)) return true;
  return isScaled(before, behind);
}

function isScaled(before: string, behind: string): boolean {
  if (SCALED_CURRENCY.test(behind) || SCALED_CURRENCY_BEFORE.test(before) || UNSPACED_SCALE.test(behind)) return true;
  const [near, follows] = [beforeCurrency(before), behindCurrency(behind)];
  const words = [WORD_BEFORE.exec(before), WORD_BEFORE.exec(near), WORD_BEHIND.exec(behind), WORD_BEHIND.exec(follows)];
  const spelt = words.map((found) => found?.[1]?.toLowerCase() ?? '');
  if (spelt.some((word) => toScale(word, '') !== undefined || SCALES.has(word))) return true;
  const [, , last = ''] = spelt;
  if (!SCALES_OF_MONEY.has(last)) return false;
  const rest = behind.replace(WORD_BEHIND, '');
  const isPriced = near !== before && !/\|\s*$/.test(before);
  return isPriced || (behindCurrency(rest) !== rest && !/^\s*\|/.test(rest));
}

function beforeCurrency(before: string): string {
  const last = findCurrencies(before).at(-1);
  if (last && SAME_LINE.test(before.slice(last.end))) return before.slice(0, last.start);
  return before.replace(OTHER_CURRENCY_BEFORE, '');
}

function behindCurrency(behind: string): string {
  const [first] = findCurrencies(behind);
  if (first && SAME_LINE.test(behind.slice(0, first.start))) return behind.slice(first.end);
  return behind.replace(OTHER_CURRENCY_BEHIND, '');
}
