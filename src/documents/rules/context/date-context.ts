import type { Beside } from './text-beside.js';

/** What a period begins with, as in `01.05.-31.05.2024`, and the dash behind it. */
const PERIOD_BEFORE =
  /(?<![\d./-])(?:(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([/.])\d{1,2}(?:\2(?:\d{4}|\d{2})?)?|\d{1,2}\.)\s?-\s?|\d{4}-\d\d-\d\d\/)$/;
const PERIOD_BEHIND =
  /^(?:\s?-\s?(?=\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d{2})(?![\d./-]))|\s?[-/]\s?(?=\d{4}-\d\d-\d\d(?!\d)))/;

const CUT_BEFORE = /\d\s?\/\s?$/;
const CUT_BEHIND = /^(?:[-.]\d|\s?\/\s?\d)/;
/** `1/2/20 24`: of the years 19 and 20 the rest may stand apart. */
const CENTURY = /(?<!\d)(?:19|20)$/;
const YEAR_BEHIND = /^\s{1,2}\d\d(?!\d|[.,:]\d)/;

/** What is beside a date without the dash of a period whose other date stands there. */
export function withoutPeriod([before, behind]: Beside): Beside {
  return [before.replace(PERIOD_BEFORE, ' '), behind.replace(PERIOD_BEHIND, ' ')];
}

/** Whether more of a date stands beside it than what is taken for it. @param written as it was taken */
export function isPartOfDate([before, behind]: Beside, written: string): boolean {
  return CUT_BEFORE.test(before) || CUT_BEHIND.test(behind) || (CENTURY.test(written) && YEAR_BEHIND.test(behind));
}
