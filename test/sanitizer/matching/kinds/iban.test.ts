import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each([
  'DE89370400440532013000',
  'DE89 3704 0044 0532 0130 00',
  'GB82 WEST 1234 5698 7654 32',
  'gb82west12345698765432',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'FR14-2004-1010-0505-0001-3M02-606',
  'DE 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0',
  'de89 3704 0044 0532 0130 00',
  'gb82-west-1234-5698-7654-32',
  'RU9704452522540817810500123456789',
])('finds %s', (iban) => {
  const matched = findMatched([{ kind: 'iban' }], `Account ${iban}, please`);

  expect(matched).toEqual([iban]);
});

it.each([
  ['DE88370400440532013000', 'the check digits are wrong'],
  ['DE893704004405320130001', 'it is too long'],
  ['DE8937040044053201300', 'it is too short'],
  ['XX89370400440532013000', 'no country begins so'],
  ['ADE89370400440532013000', 'a letter stands before it'],
  ['de88 3704 0044 0532 0130 00', 'the check digits are wrong'],
  ['de89 37 04 00 44 05 32 01 30 00', 'small letters are in no groups of four'],
])('finds none in %s, where %s', (text) => {
  const matched = findMatched([{ kind: 'iban' }], `Account ${text}, please`);

  expect(matched).toEqual([]);
});
