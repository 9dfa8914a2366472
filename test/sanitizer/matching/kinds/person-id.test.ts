import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each([
  ['the United States', '536-90-4399'],
  ['the United States', '536 90 4399'],
  ['the United States', '5 3 6 9 0 4 3 9 9'],
  ['the United Kingdom', 'AB123456C'],
  ['the United Kingdom', 'AB 12 34 56 C'],
  ['Germany', '36574261809'],
  ['Germany', '36 574 261 809'],
  ['France', '295109912611193'],
  ['France', '2 95 10 99 126 111 93'],
  ['France (Corsica)', '185122A12345648'],
  ['Spain', '12345678Z'],
  ['Spain', '12.345.678-Z'],
  ['Spain (foreigners)', 'X1234567L'],
  ['Spain (foreigners)', 'X-1234567-L'],
  ['Italy', 'RSSMRA85T10A562S'],
  ['Italy', 'RSS MRA 85T10 A562S'],
  ['Italy (letters for digits)', 'RSSMRAURT10A562B'],
  ['Italy (letters for digits)', 'RSSMRAU5T10A562P'],
  ['Italy (letters for digits)', 'RSSMRAURTMLA56NE'],
  ['Italy (letters for digits)', 'rssmra85t10a56nh'],
])('finds the number of %s %s', (_country, number) => {
  const matched = findMatched([{ kind: 'person_id' }], `Id ${number}, given`);

  expect(matched).toEqual([number]);
});

it.each([
  ['536904399', 'nothing is between the groups'],
  ['000-90-4399', 'no area has 000'],
  ['666-90-4399', 'no area has 666'],
  ['936-90-4399', 'no area begins with 9'],
  ['536-00-4399', 'no group has 00'],
  ['536-90-0000', 'no serial number has 0000'],
  ['1-536-90-4399', 'it is the end of a longer number'],
  ['GB123456C', 'no British number begins with GB'],
  ['AB123456E', 'the last letter is A to D'],
  ['AB123456', 'the last letter is missing'],
  ['36574261808', 'the check digit is wrong'],
  ['12345678903', 'no digit comes twice'],
  ['295109912611194', 'the check digits are wrong'],
  ['12345678A', 'the letter is wrong'],
  ['X1234567A', 'the letter is wrong'],
  ['RSSMRA85T10A562A', 'the letter is wrong'],
  ['xRSSMRA85T10A562S', 'a letter stands before it'],
])('finds none in %s, where %s', (text) => {
  const matched = findMatched([{ kind: 'person_id' }], `Id ${text}, given`);

  expect(matched).toEqual([]);
});
