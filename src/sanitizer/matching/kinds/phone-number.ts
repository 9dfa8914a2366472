import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';
import { SEPARATOR } from './number-run.js';
import type { NumberRun } from './number-run.js';
import { isBehindPhoneWord } from './phone-words.js';

/** ITU-T E.164: fifteen digits with the country's code, and two zeros where they stand for the +. */
const MOST_DIGITS = 17;
const LEAST_DIGITS = 7;
const NORTH_AMERICAN = [
  [3, 3, 4],
  [1, 3, 3, 4],
];
/** International numbers seldom have more digits than these, without the two zeros that stand for the +. */
const ENOUGH_DIGITS = 12;
/** How many zeros stand for the +. */
const ZEROS = 2;
/** Digits of the prefix of a country, which is `06` in Hungary. */
const MOST_PREFIX = 2;
/** Numbers with fewer digits than these look like many others. */
const FEW_DIGITS = 10;
/** Those of services and pagers are nobody's. */
const PERSONAL_TYPES: ReadonlySet<string | undefined> = new Set([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'PERSONAL_NUMBER',
  'VOIP',
]);
/** Makes a country of letters in any case, or null where no numbers are known of it. */
export function toPhoneRegion(region: string): CountryCode | null {
  const country = region.toUpperCase();
  return isSupportedCountry(country) ? country : null;
}

/** Answers how many groups of a run are an international number, which stands behind a + or begins with 00; 0: none. */
export function findInternationalEnd(run: NumberRun, hasPlus: boolean): number {
  if (!hasPlus && !beginsWithZeros(run)) return 0;
  const zeros = hasPlus ? 0 : ZEROS;
  return findLongest(run, ENOUGH_DIGITS + zeros, (digits) => isValidNumber(`+${digits.slice(zeros)}`));
}

/** Answers how many groups of a run are a number as it is written within a country; 0: none. */
export function findNationalEnd(run: NumberRun, region: CountryCode): number {
  if (isDate(run) || isNamed(run)) return 0;
  const code = getCountryCallingCode(region);
  return findLongest(run, FEW_DIGITS, (digits, groups) => {
    if (!isWrittenAsPhone(run, groups, code)) return false;
    const number = parsePhoneNumberFromString(digits, region);
    if (!number || number.countryCallingCode !== code || !PERSONAL_TYPES.has(number.getType())) return false;
    if (isFirstAlone(run, groups) && code !== '1') return isBehindPrefix(run, groups, number);
    // Where the country has a prefix (0 in most), a number without it is written nowhere.
    if (number.nationalNumber !== digits || code === '1') return true;
    return number.formatNational().replaceAll(/\D/g, '') === digits;
  });
}

/** Says whether more groups could make a run a number, or a longer one. */
export function canBecomePhone(run: NumberRun, hasPlus: boolean, regions: readonly CountryCode[]): boolean {
  if (run.digits.length > MOST_DIGITS) return false;
  if (endsBeforeExtension(run)) return run.digits.length >= LEAST_DIGITS;
  if (!run.isOpen) return false;
  if (hasPlus) return true;
  if (beginsWithZeros(run) || run.digits === '0') return true;
  if (isNamed(run)) return false;
  return regions.some((region) => mayBeWrittenAsPhone(run, getCountryCallingCode(region)));
}

function findLongest(run: NumberRun, enough: number, isNumber: (digits: string, groups: number) => boolean): number {
  // With what may follow, a longer number may be one.
  if (run.isOpen && run.digits.length <= MOST_DIGITS) return 0;
  for (let groups = countGroups(run, enough); groups > 0; groups -= 1) {
    const count = run.countDigits(groups);
    if (count < LEAST_DIGITS) return 0;
    if (count > MOST_DIGITS || !hasPhoneEnd(run, groups)) continue;
    if (isNumber(run.digits.slice(0, count), groups)) return groups;
  }
  return 0;
}

/** Behind enough digits, a group that begins with 0 is the beginning of another number. */
function countGroups(run: NumberRun, enough: number): number {
  let digits = 0;
  for (let group = 0; group < run.lengths.length; group += 1) {
    const isLong = digits >= enough && (run.lengths[group] ?? 0) > 1;
    if (isLong && run.digits.charAt(digits) === '0') return group;
    digits += run.lengths[group] ?? 0;
  }
  return run.lengths.length;
}

function isValidNumber(number: string): boolean {
  return parsePhoneNumberFromString(number)?.isValid() === true;
}

/** An extension may follow, as in `x12`. */
function hasPhoneEnd(run: NumberRun, groups: number): boolean {
  const end = run.ends[groups - 1] ?? 0;
  return run.hasLooseEnd(groups) || (!run.isOpen && /^x\d/i.test(run.text.slice(end, end + 2)));
}

/** Whether what is known ends with the `x` that an extension begins with. */
function endsBeforeExtension(run: NumberRun): boolean {
  return !run.isFinal && /^x$/i.test(run.text.slice(run.ends.at(-1), (run.ends.at(-1) ?? 0) + 2));
}

/**
 * Numbers of North America (code 1) are 3-3-4 with or without the 1 before; others begin with 0 and have ten digits, or
 * have groups of two to four. Shorter ones, and one group of digits without a 0, need a word before them that says so.
 */
function isWrittenAsPhone(run: NumberRun, groups: number, code: string): boolean {
  const count = run.countDigits(groups);
  if (!hasPhoneParentheses(run, groups)) return false;
  const isZeroLed = run.digits.startsWith('0');
  if (groups === 1) return (isZeroLed && run.isWhole && count >= FEW_DIGITS && count < 12) || isBehindPhoneWord(run);
  if (run.singles >= groups) return run.singles === groups;
  if (code === '1') {
    const isInTable = !run.isWhole && run.hasSpaces(groups) && run.text.charAt(run.start - 1) !== '(';
    return !isInTable && NORTH_AMERICAN.some((grouping) => grouping.length === groups && run.beginsWith(grouping));
  }
  // Whether it is the country's prefix is known with the number.
  if (isFirstAlone(run, groups)) return true;
  if (isZeroLed) return count >= FEW_DIGITS || isBehindPhoneWord(run);
  if (isBehindPhoneWord(run)) return true;
  return run.isWhole && run.lengths.slice(0, groups).every((length) => length >= 2 && length <= 4);
}

/** Whether the first digit of several groups stands alone, as the prefixes of most countries may: `0 532 123 45 67`. */
function isFirstAlone(run: NumberRun, groups: number): boolean {
  return groups > 1 && run.lengths[0] === 1 && run.singles < groups;
}

/**
 * Whether the digit that stands alone is the country's prefix of a number that is said to be one, has its area in
 * parentheses, or is alone and in the groups in which the country writes it.
 */
function isBehindPrefix(run: NumberRun, groups: number, number: PhoneNumber): boolean {
  const count = run.countDigits(groups);
  // Belarus has `8 0` before a number.
  if (!run.digits.slice(1, count).endsWith(number.nationalNumber)) return false;
  if (isBehindPhoneWord(run) || groupsInParentheses(run, groups).length > 0) return true;
  const own = run.lengths.slice(0, groups);
  const usual = number
    .formatNational()
    .match(/\d+/g)
    ?.map(({ length }) => length)
    .join(' ');
  const joined = [1 + (own[1] ?? 0), ...own.slice(2)];
  return run.isWhole && count >= FEW_DIGITS && [own, joined].some((lengths) => lengths.join(' ') === usual);
}

/** Only the first group can be in parentheses, the area behind a prefix, or both: `(030) 12`, `8 (495) 12`, `(0 30) 12`. */
function hasPhoneParentheses(run: NumberRun, groups: number): boolean {
  const places = groupsInParentheses(run, groups).join(' ');
  const hasPrefix = (run.lengths[0] ?? 0) <= MOST_PREFIX;
  if (run.text.charAt(run.start - 1) !== '(') return places === '' || (hasPrefix && places === '1 2');
  return places === '' || places === '1' || (hasPrefix && places === '2');
}

/** Before which groups a parenthesis stands. */
function groupsInParentheses(run: NumberRun, groups: number): number[] {
  return run.separators.flatMap((mask, group) =>
    group < groups && (mask & SEPARATOR.parenthesis) !== 0 ? [group] : [],
  );
}

/** As `isWrittenAsPhone`, as far as the groups are known. */
function mayBeWrittenAsPhone(run: NumberRun, code: string): boolean {
  if (run.isWhole || run.digits.startsWith('0') || run.lengths[0] === 1 || run.singles === run.lengths.length)
    return true;
  if (isBehindPhoneWord(run)) return true;
  return code === '1' && NORTH_AMERICAN.some((grouping) => run.canBecome(grouping));
}

/** Whether two zeros stand for the +, as they do in `0049` and `0 0 4 9`, but not in `0.04`. */
function beginsWithZeros(run: NumberRun): boolean {
  return run.digits.startsWith('00') && ((run.lengths[0] ?? 0) > 1 || run.singles > 1);
}

/** Whether a name or a path leads to the digits, as in `PO-0516`, `#0516` and `/orders/0516`. */
function isNamed(run: NumberRun): boolean {
  const before = run.text.charAt(run.start - 1);
  return before === '#' || before === '/' || (before === '-' && isWordUnitAt(run.text, run.start - 2));
}

/** Such as 31.12.2024 or 31-12-2024. */
function isDate(run: NumberRun): boolean {
  const [day, month, year] = run.lengths;
  return (
    day === 2 &&
    month === 2 &&
    (year === 4 || year === 2) &&
    run.separators[1] === run.separators[2] &&
    Number(run.digits.slice(0, 2)) <= 31 &&
    Number(run.digits.slice(2, 4)) <= 31 &&
    run.lengths.length === 3
  );
}
