import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDecimal } from '../../../../src/platform/text/support/decimals.js';
import { figuresOf } from '../../../../src/platform/text/support/figures.js';
import type { Figure } from '../../../../src/platform/text/support/figures.js';

it.each([
  ['1,234.5 and 1.234,5 and 1 234,50 and 1234.5', ['1234.5', '1234.5', '1234.5', '1234.5']],
  ['1,000,000 or 1.000.000 or 1 000 000', ['1000000', '1000000', '1000000']],
  ['1.234', ['1234|1.234']],
  ['0.123 and 2019 100 people', ['0.123', '2019', '100']],
  ['5 %, 5%, 5 percent, 5 per cent', ['5 %', '5 %', '5 %', '5 %']],
  ['5 percentage points', ['5 pp']],
  ['$5 million, 5 mio. €, eur 2.5 bn', ['5000000 $', '5000000 €', '2500000000 €']],
  ['50 to 53 million dollars', ['50|50000000 $', '53000000 $']],
  ['-5 °c and 10-20 kg', ['-5 °c', '10 kg', '20 kg']],
  ['-$5, -€ 2.50, -usd 7 and us$-3', ['-5 $', '-2.5 €', '-7 $', '-3 $']],
  ['$5-$10, us-$ 4, - $6', ['5 $', '10 $', '4 $', '6 $']],
  ['5kg a4 10:30 1.2.3', ['5 kg', 'a4', '10:30', '1.2.3']],
  ['three months, twelve, the third', ['3 month', '12', '3']],
  ['one year, a year, one of them', ['1 year', '1? year', '1?']],
  ['3 may 2024, may 3rd, 2024, 2024-05-03, 3rd of may 2024', Array(4).fill('2024-5-3')],
  ['05/03/2024, 25/03/2024', ['2024-3-5|2024-5-3', '2024-3-25']],
  ['may 2024, 3 may', ['2024-5-?', '?-5-3']],
])('reads the figures of %j', (text, expected) => {
  const figures = figuresOf(text, 'en');

  expect(figures.map(toLine)).toEqual(expected);
});

it.each([
  ['de', 'am 3. märz 2024, 03.05.2024, zwölf tage, der dritte', ['2024-3-3', '2024-5-3', '12 day', '3']],
  ['fr', 'le 1er mai 2020, trois mois', ['2020-5-1', '3 month']],
  ['es', '12 de mayo de 2021, dos veces', ['2021-5-12', '2']],
  ['ja', '月額5,000円と12か月', ['5000|5 ¥', '12']],
])('reads them in %s', (language, text, expected) => {
  const figures = figuresOf(text, language);

  expect(figures.map(toLine)).toEqual(expected);
});

it('reads a number as it is written in any country', () => {
  const styles = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'es-ES', 'sv-SE'];

  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 1, max: 99 }),
      fc.constantFrom(...styles),
      (whole, part, style) => {
        const number = (100 * whole + part) / 100;
        const written = number.toLocaleString(style, { minimumFractionDigits: 2 }).normalize('NFKC').replace('’', "'");

        const readings = readDecimal(written);

        expect(readings).toEqual([String(number)]);
      },
    ),
  );
});

function toLine({ readings, unit, isCertain }: Figure): string {
  return `${readings.join('|')}${isCertain ? '' : '?'}${unit === '' ? '' : ` ${unit}`}`;
}
