import { describe, expect, it } from '@jest/globals';
import { provenOf } from '../../support/builders/documents/proven-of.js';

describe('a number that a model quotes', () => {
  it.each([
    '-          5.00',
    '(          5.00)',
    '(EUR          5.00          )',
    '-EUR      5.00',
    '-$5.00',
    '- | 5.00',
    'Discount: -\n5.00',
    `(${' '.repeat(500)}5.00)`,
    `- ${'\u200b'.repeat(50)}5.00`,
    '(5.00',
    '\uff085.00\uff09',
    '[5.00]',
    '<5.00>',
    '5.00\uff0d',
    '5.00\u2010',
    '5.00 EUR-',
    '5.00 EUR -',
    '5.00\u00a0\u20ac\u2212',
    '\u2012 5.00',
    '\u2010 5.00',
    '\u27965.00',
    '\u25b2 5.00',
    './. 5.00',
    'minus 5.00',
    'moins EUR 5.00',
    '5.00 CR',
    '5.00 EUR Haben',
    '5.00 Debit',
    '5.00 H',
    '2.00 - 5.00',
  ])('has no sign that its page may change: %j', async (text) => {
    expect(await provenOf('total', text, 5, '5.00')).toBeUndefined();
  });

  it.each([
    ['Discount -          5.00 EUR', 5],
    ['Discount (          5.00 )', 5],
    ['Discount \u2010 5.00', 5],
    ['\u20105.00', 5],
    ['-\u200b5.00', 5],
    ['1, 50', 1],
    ['Discount -$5.00', 5],
    ['1 - 20 EUR', 20],
    ['1 - 20.00', 20],
    ['20 - 10', 10],
    ['1,\n234.00', 234],
    ['1\u066c000', 1],
  ])('is not a part of what is quoted either: %j', async (text, claimed) => {
    expect(await provenOf('total', text, claimed, text)).toBeUndefined();
  });

  it.each([
    ['1.5 Mio. EUR', '1.5'],
    ['5 million', '5'],
    ['5\nmillion', '5'],
    ['5 EUR million', '5'],
    ['5 (in thousands)', '5'],
    ['5 T\u20ac', '5'],
    ['5 k', '5'],
    ['TEUR 5', '5'],
    ['Mio. EUR 5', '5'],
    ['$5 m', '5'],
    ['5 M EUR', '5'],
    ['5 lakh', '5'],
    ['5 млн', '5'],
    ['5 \u4e07', '5'],
    ['5 \u00d7 10^6', '5'],
    ['5 x 10\u2076', '5'],
    ['5 e6', '5'],
    ['7 1/2', '7'],
    ['7 \u00bd', '7'],
    ['1,\n234.00', '234.00'],
    ['1. 234,00', '234,00'],
    ['1, 50', '50'],
    ['1\u066c000', '1'],
    ['1:234', '234'],
  ])('is no part of a greater one: %j quoted %j', async (text, quote) => {
    expect(await provenOf('total', text, Number(quote.replace(',', '.')), quote)).toBeUndefined();
    expect(await provenOf('total', text, Number(quote.replaceAll(/[.,](?=\d\d$)|[.,]/g, '.')), text)).toBeUndefined();
  });

  it.each([
    'Total: 5.00 EUR',
    'Total 5.00',
    'EUR 5.00.',
    '- Item 5.00',
    '- Item: 5.00 EUR, due 1/2/2024',
    '5.00 EUR - due 1/2/2024',
    '5.00 - due 1/2/2024',
    '5.00 - 10.00 EUR',
    '5.00 EUR - 10.00 EUR',
    '5.00 -3.00',
    '5.00\n- Item',
    '5.00\n-3.00',
    'Costs\n-----------\n5.00',
    'Total ........ 5.00',
    '1/2/2024 5.00',
    '5.00 1/2/2024',
    '1/2/2024 | 5.00 | 3/2/2024',
    'Tel. 030-1234 | 5.00',
    '1 | Widget | 3 | 5.00 | 15.00',
    '1   Widget   3   5.00   15.00',
    '3 x 5.00',
    '3 \u00d7 5.00 = 15.00',
    '5.00 x 10 EUR',
    '(net of tax) 5.00 (EUR)',
    '(including 19 % tax of 5.00 EUR)',
    '(5.00 EUR for each of them)',
    'Section 1: 5.00',
    'On 17 May 2024, 5.00 EUR',
    '5.00 m\u00b2',
    '5.00 t of sand',
    'Glass | 24.00 EUR\n5.00 m | Cable | 7.00 | 35.00 EUR',
    'Cotton | 5.00\n1 / 1',
    '5.00 kg',
    '5.00 Items',
    'Credit of 5.00',
    'not 5.00',
    '\u20ac5.00*',
    '"5.00"',
    '\u2022 5.00',
  ])('is taken where nothing beside it says otherwise: %j', async (text) => {
    expect(await provenOf('total', text, 5, '5.00')).toBe(5);
    expect(await provenOf('total', text, 5, text)).toBe(5);
  });

  it.each([
    ['Valid for 5 - 10 days', 5],
    ['Valid for 5 - 10 days', 10],
    ['Total -5.00', -5],
    ['Total (5.00)', -5],
    ['5 x 10 EUR', 5],
    ['Cotton | 5\n1 / 1', 5],
    ['24.00 EUR\n5 m | Cable | 7.00 EUR', 5],
    ['24.00 EUR | 5 m | Cable', 5],
    ['Total 1 000,50', 1000.5],
    ['5,- EUR', 5],
  ])('is taken of a whole quote: %j, %d', async (text, claimed) => {
    expect(await provenOf('total', text, claimed, text)).toBe(claimed);
  });

  it.each([
    ['Term - 24 months', 'Term - 24 months', 24],
    ['Term: 12-24 months', '12-24 months', 24],
    ['2 years (notice: 3 months)', '2 years', 24],
    ['1/2 years', '2 years', undefined],
  ])('is a time with its unit: %j quoted %j', async (text, quote, value) => {
    expect(await provenOf('term', text, value ?? 24, quote)).toBe(value);
  });
});
