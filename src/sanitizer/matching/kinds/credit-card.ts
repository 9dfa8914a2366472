import { SEPARATOR } from './number-run.js';
import type { NumberForm } from './numbers.js';

/** How numbers of payment cards are written. */
export const CREDIT_CARD: NumberForm = {
  digits: [13, 19],
  groupings: [
    [13],
    [14],
    [15],
    [16],
    [17],
    [18],
    [19],
    [4, 4, 4, 4],
    [4, 6, 5],
    [4, 6, 4],
    [4, 4, 4, 4, 3],
    [4, 3, 3, 3],
  ],
  takesAnyGroups: true,
  isLikeTable: false,
  separators: SEPARATOR.space | SEPARATOR.dash,
};

/** The numbers that brands begin with, each from and to, and the lengths that they have (ISO/IEC 7812, issuers' lists). */
const BRANDS: readonly (readonly [from: string, to: string, lengths: readonly number[]])[] = [
  ['4', '4', [13, 16, 19]],
  ['51', '55', [16]],
  ['2221', '2720', [16]],
  ['34', '34', [15]],
  ['37', '37', [15]],
  ['6011', '6011', [16, 19]],
  ['644', '649', [16, 19]],
  ['65', '65', [16, 19]],
  ['62', '62', [16, 17, 18, 19]],
  ['81', '81', [16]],
  ['3528', '3589', [16, 17, 18, 19]],
  ['300', '305', [14, 16]],
  ['309', '309', [14, 16]],
  ['36', '36', [14, 16]],
  ['38', '39', [14, 16]],
  ['50', '50', [16, 18, 19]],
  ['56', '58', [16, 18, 19]],
  ['6', '6', [16]],
  ['67', '67', [16, 18, 19]],
  ['2200', '2204', [16, 17, 18, 19]],
  ['9792', '9792', [16]],
];

/** Says whether digits are the number of a payment card: a brand's beginning and length, and its check digit (Luhn). */
export function isCreditCard(digits: string): boolean {
  return hasBrand(digits) && hasLuhnDigit(digits) && !/^(\d)\1+$/.test(digits);
}

function hasBrand(digits: string): boolean {
  return BRANDS.some(([from, to, lengths]) => {
    const prefix = digits.slice(0, from.length);
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
}

/** ISO/IEC 7812-1, annex B. */
function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
