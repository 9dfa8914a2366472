import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each([
  '+49 30 123456',
  '+1 (212) 555-0123',
  '+442079460958',
  '0049 30 123456',
  '00229 01 95 12 28 07',
  '+49 (0)30 123456',
  '+ 4 9 3 0 1 2 3 4 5 6',
  '+ 4 9 3 0 1 2 3 4 5 6 0 0',
  '+33 6 01 02 03 04',
])('finds %s without a region', (number) => {
  const matched = findMatched([{ kind: 'phone' }], `Call ${number}.`);

  expect(matched).toEqual([number]);
});

it.each([
  ['US', '(212) 555-0123'],
  ['US', '212-555-0123'],
  ['US', '212.555.0123'],
  ['US', '1-212-555-0123'],
  ['US', '2 1 2 5 5 5 0 1 2 3'],
  ['DE', '030 12345678'],
  ['DE', '0171/1234567'],
  ['de', '03012345678'],
  ['FR', '06 12 34 56 78'],
  ['ES', '612 34 56 78'],
  ['TR', '0 532 123 45 67'],
  ['TR', '0 (532) 123 45 67'],
  ['TR', '(0 532) 123 45 67'],
  ['TR', '(0) 532 123 45 67'],
  ['RU', '8 (495) 123-45-67'],
  ['RU', '8(495)123-45-67'],
  ['RU', '8 495 123-45-67'],
  ['KZ', '8 (701) 234 5678'],
  ['BY', '8 (029) 123-45-67'],
  ['PH', '0 (917) 123 4567'],
  ['PH', '0-917-123-4567'],
  ['DE', '0 30 1234567'],
  ['GB', '0 20 7946 0958'],
  ['HU', '06 (1) 234 5678'],
  ['US', '1 (212) 555-0123'],
])('finds in the region %s the number %s', (region, number) => {
  const matched = findMatched([{ kind: 'phone', region }], `My number: ${number}, at home`);

  expect(matched).toEqual([number]);
});

it('takes ten digits for a phone number of North America only behind a word that says so', () => {
  const rules = [{ kind: 'phone', region: 'US' }] as const;

  const matched = findMatched(rules, 'Order 2125550123 was paid. Please call me at 2125550123. SKU 2125550123');

  expect(matched).toEqual(['2125550123']);
});

it.each([
  ['TR', 'Tel: 0 532 1234567', '0 532 1234567'],
  ['CN', '电话：13812345678', '13812345678'],
  ['CN', '订单 13812345678', undefined],
  ['CN', '我的手机号码是138 12345678。', '138 12345678'],
  ['JP', '電話は03 1234567 8です', '03 1234567 8'],
  ['JP', '携帯 (090) 12345678', '(090) 12345678'],
  ['SG', '전화 61234567', '61234567'],
  ['NO', 'тел. 22123456', '22123456'],
])('knows a word for a phone in the region %s: %s', (region, text, number) => {
  expect(findMatched([{ kind: 'phone', region }], text)).toEqual(number === undefined ? [] : [number]);
});

it.each([
  ['TR', 'Rows: 7 0 532 123 45 67'],
  ['TR', 'Rows: 0 532 12 345 67'],
  ['RU', 'Sizes: 8 495 12 34 567'],
  ['DE', 'Points: 0 12 345 678'],
])('takes a digit alone for no prefix in a table: %s %s', (region, text) => {
  expect(findMatched([{ kind: 'phone', region }], text)).toEqual([]);
});

it.each(['030 12345678', '(212) 555-0123'])('finds %s in no region that is not asked for', (number) => {
  const matched = findMatched([{ kind: 'phone', region: 'ES' }], `number ${number} `);

  expect(matched).toEqual([]);
});

it.each([
  '+1 23',
  '+999 30 123456',
  '01.02.2024',
  '2024-01-02 10:30',
  '0.30123456',
  'x+49 30 123456',
  '5551234',
  '12 345 678',
])('finds no phone number in %s', (text) => {
  const rules = [
    { kind: 'phone', region: 'US' },
    { kind: 'phone', region: 'DE' },
  ] as const;

  const matched = findMatched(rules, `see ${text} here`);

  expect(matched).toEqual([]);
});

it('tells numbers apart that stand in a row', () => {
  const matched = findMatched([{ kind: 'phone', region: 'DE' }], '030 1234567 030 7654321 0171 1234567');

  expect(matched).toEqual(['030 1234567', '030 7654321', '0171 1234567']);
});
