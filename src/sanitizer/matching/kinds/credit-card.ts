import { luhnChecksumValidate } from 'stdnum/lib/cjs/util/checksum.js';
import { SEPARATOR } from './number-run.js';
import type { NumberForm, NumberKind } from './numbers.js';

/** The groups that are printed on cards. */
const PRINTED_GROUPS = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
  [4, 3, 3, 3],
];
const FORM: NumberForm = {
  digits: [13, 19],
  groupings: [[13], [14], [15], [16], [17], [18], [19], ...PRINTED_GROUPS],
  takesAnyGroups: true,
  isLikeTable: false,
  separators: SEPARATOR.space | SEPARATOR.dash,
};
/** With dots, other groups would be amounts of money and versions. */
const DOTTED_FORM: NumberForm = {
  ...FORM,
  groupings: PRINTED_GROUPS,
  takesAnyGroups: false,
  separators: SEPARATOR.dot,
};

/** Numbers of payment cards, with spaces or dashes between groups, and with dots. */
export const CREDIT_CARDS: readonly NumberKind[] = [FORM, DOTTED_FORM].map((form) => ({ form, isValid: isCreditCard }));

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

/** A brand's beginning and length, and Luhn's check digit (ISO/IEC 7812-1, annex B). */
function isCreditCard(digits: string): boolean {
  return hasBrand(digits) && luhnChecksumValidate(digits) && !/^(\d)\1+$/.test(digits);
}

function hasBrand(digits: string): boolean {
  return BRANDS.some(([from, to, lengths]) => {
    const prefix = digits.slice(0, from.length);
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
}
