import { describe, expect, it } from '@jest/globals';
import { findIbans, findVatIds } from '../../../src/documents/rules/parsers/account-numbers.js';
import { decimalSignOf, findAmounts, readAmount } from '../../../src/documents/rules/parsers/amounts.js';
import type { DecimalSign } from '../../../src/documents/rules/parsers/amounts.js';
import { findCurrencies } from '../../../src/documents/rules/parsers/currencies.js';
import { findDates, readDate } from '../../../src/documents/rules/parsers/dates.js';
import { findDurations } from '../../../src/documents/rules/parsers/durations.js';

describe('amounts', () => {
  it.each<[string, DecimalSign, number[]]>([
    ['1,234.56', '.', [1_234.56]],
    ['1.234,56 €', ',', [1_234.56]],
    ['1\u00a0234,56', ',', [1_234.56]],
    ['1 234,56', ',', [1_234.56]],
    ["CHF 1'234.56", '.', [1_234.56]],
    ['12’345’678.90', '.', [12_345_678.9]],
    ['-12.50', '.', [-12.5]],
    ['12.50-', '.', [-12.5]],
    ['(1,000.00)', '.', [-1_000]],
    ['($1,000.00)', '.', [-1_000]],
    ['$(5.00)', '.', [-5]],
    ['\uff085.00\uff09', '.', [-5]],
    ['-$5.00', '.', [-5]],
    ['\u2212$5.00', '.', [-5]],
    ['\uff0d5.00', '.', [-5]],
    ['\u20115.00', '.', [-5]],
    ['Total: -EUR 5,00', ',', [-5]],
    ['EUR -5,00', ',', [-5]],
    ['5,00 EUR-', ',', [-5]],
    ['5,00- EUR', ',', [-5]],
    ['5.00\u2212\nThank you', '.', [-5]],
    ['5.00- in cash', '.', [5]],
    ['from 5 EUR-USD', '.', [5]],
    ['$99.90', '.', [99.9]],
    ['EUR5', '.', [5]],
    ['2 10,00', ',', [2, 10]],
    ['1.234', ',', [1_234]],
    ['1.234', '.', [1.234]],
    ['19 %', ',', [19]],
    ['2x 3 pcs', '.', [2, 3]],
    ['INV-2024-0017', '.', []],
    ['12.03.2024', '.', []],
    ['12/2024', '.', []],
    ['A4', '.', []],
  ])('in %j with %j are %j', (text, decimal, values) => {
    const read = findAmounts(text).flatMap((amount) => readAmount(amount, decimal)?.value ?? []);

    expect(read).toEqual(values);
  });

  it('tell how their document writes fractions, or may be either', () => {
    expect(['12.50', '1.234,5', '1.234.567', '1,234', '17'].map(decimalSignOf)).toEqual([
      '.',
      ',',
      ',',
      undefined,
      undefined,
    ]);
  });
});

describe('dates', () => {
  it.each([
    ['2024-05-03', '2024-05-03'],
    ['03.05.2024', '2024-05-03'],
    ['3. Mai 2024', '2024-05-03'],
    ['3. M\u00e4rz 2024', '2024-03-03'],
    ['1er ao\u00fbt 2024', '2024-08-01'],
    ['3 de mayo de 2024', '2024-05-03'],
    ['May 3rd, 2024', '2024-05-03'],
    ['3-May-24', '2024-05-03'],
    ['03/05/2024', '2024-05-03'],
    ['05/23/2024', '2024-05-23'],
    ['3.5.24', '2024-05-03'],
  ])('%j is %s where days come first', (text, expected) => {
    const [date] = findDates(`on ${text}, at last`);

    expect(readDate(date!, 'dmy')).toBe(expected);
  });

  it('are read with the month first where the document does', () => {
    const [date] = findDates('03/05/2024');

    expect(readDate(date!, 'mdy')).toBe('2024-03-05');
  });

  it.each(['31.02.2024', '2024-13-01', '1.2.3.2024', '12/2024', '99.99.9999'])('%j is none', (text) => {
    expect(findDates(text)).toEqual([]);
  });
});

describe('numbers with check digits', () => {
  it.each([
    ['IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFF', 'DE89370400440532013000'],
    ['GB29NWBK60161331926819', 'GB29NWBK60161331926819'],
  ])('%j has the account %s', (text, expected) => {
    expect(findIbans(text).map(({ value }) => value)).toEqual([expected]);
  });

  it.each(['DE89 3704 0044 0532 0130 01', 'DE89 3704', 'XX89 3704 0044 0532 0130 00'])('%j has no account', (text) => {
    expect(findIbans(text)).toEqual([]);
  });

  it.each([
    ['USt-IdNr. DE 136 695 976', 'DE136695976'],
    ['CHE-116.281.710 MWST', 'CHE116281710'],
    ['ATU13585627', 'ATU13585627'],
    ['FR 40 303 265 045', 'FR40303265045'],
    ['ESB58378431', 'ESB58378431'],
  ])('%j has the VAT number %s', (text, expected) => {
    expect(findVatIds(text).map(({ value }) => value)).toEqual([expected]);
  });

  it.each(['DE136695977', 'DE13669597', 'IN 123456789'])('%j has no VAT number', (text) => {
    expect(findVatIds(text)).toEqual([]);
  });
});

describe('currencies and times', () => {
  it('are told by signs and codes, not by other words of capitals', () => {
    expect(findCurrencies('€ 5, US$ 6, CHF 7, Fr. 8, THE 9').map(({ code }) => code)).toEqual([
      'EUR',
      'USD',
      'CHF',
      'CHF',
    ]);
  });

  it.each([
    ['for a term of 2 years', 'month', 24],
    ['mit einer Frist von zw\u00f6lf (12) Wochen', 'day', 84],
    ['un pr\u00e9avis de trois mois', 'month', 3],
    ['un plazo de 30 d\u00edas', 'day', 30],
  ] as const)('%j in %ss is %i', (text, unit, expected) => {
    expect(findDurations(text, unit).map(({ known }) => known)).toEqual([expected]);
  });
});

it('reads whatever repeats itself before the test times out', () => {
  const texts = ['1', '1 ', '1.', '12/', 'DE89 ', 'DE', '1 2 3 ', 'Mai ', '( ', '2 x ', "1'"].map((part) =>
    part.repeat(40_000),
  );

  for (const text of texts)
    for (const find of [findAmounts, findDates, findIbans, findVatIds, findCurrencies]) find(text);
  for (const text of texts) findDurations(text, undefined);
});
