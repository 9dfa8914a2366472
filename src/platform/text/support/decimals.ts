/** Without it, one separator before three digits is a decimal point or one between thousands. */
const GROUPED = /^\d{1,3}(?:[.,' ]\d{3})+$/;

/**
 * Reads a number as it is written in any country: `1,234.5`, `1.234,5`, `1 234,5` and `1234.5` are one. Decimal digits
 * are kept as they are, without zeros that say nothing, so that no number is rounded.
 * @param written digits, and `.`, `,`, `'` or spaces between them; with `-` before them where it is below zero
 * @param scale the power of ten that it is multiplied with
 * @returns all that it may stand for: two where one separator before three digits may be either; none where it is no
 *   number, as `1.2.3`
 */
export function readDecimal(written: string, scale = 0): string[] {
  const sign = /^[-+]/.exec(written)?.[0] ?? '';
  const digits = written.slice(sign.length).replaceAll(/[' ]/g, "'");
  const separators = digits.replaceAll(/\d/g, '');
  const lastAt = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const last = digits.charAt(lastAt);
  const readings: string[] = [];
  const add = (whole: string, fraction: string): void => {
    readings.push(toPlain(sign === '-', whole.replaceAll(/\D/g, ''), fraction, scale));
  };
  const isGrouped = GROUPED.test(digits) && new Set(separators).size === 1;
  // A group before a zero alone is none: 0.123 is a fraction.
  if (separators === '') add(digits, '');
  else if (isGrouped && !digits.startsWith('0')) add(digits, '');
  if (last !== '' && separators.split(last).length === 2 && isWholePart(digits.slice(0, lastAt))) {
    add(digits.slice(0, lastAt), digits.slice(lastAt + 1));
  }
  return readings;
}

function isWholePart(digits: string): boolean {
  return /^\d+$/.test(digits) || GROUPED.test(digits);
}

function toPlain(isNegative: boolean, whole: string, fraction: string, scale: number): string {
  const moved = fraction.padEnd(scale, '0');
  const integer = (whole + moved.slice(0, scale)).replace(/^0+(?=\d)/, '');
  const rest = trimZeros(moved.slice(scale));
  return `${isNegative ? '-' : ''}${integer}${rest === '' ? '' : `.${rest}`}`;
}

function trimZeros(fraction: string): string {
  let end = fraction.length;
  while (fraction.charAt(end - 1) === '0') end -= 1;
  return fraction.slice(0, end);
}
