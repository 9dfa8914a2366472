import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each([
  '4111111111111111',
  '4222222222222',
  '5555 5555 5555 4444',
  '2221-0000-0000-0009',
  '3782 822463 10005',
  '3056 930902 5904',
  '6011111111111117',
  '3530111333300000',
  '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
  '41111 11111 111111',
  '4111.1111.1111.1111',
  '3782.822463.10005',
])('finds the card number %s', (number) => {
  const matched = findMatched([{ kind: 'credit_card' }], `Card: ${number}, valid`);

  expect(matched).toEqual([number]);
});

it.each([
  ['4111111111111112', 'the check digit is wrong'],
  ['1111111111111117', 'no brand begins so'],
  ['41111111111111111111111', 'the number is longer'],
  ['a4111111111111111', 'a letter stands before it'],
  ['4111111111111111x', 'a letter follows'],
  ['0.4111111111111111', 'it is behind a point'],
  ['4111111111111111.5', 'a point and a digit follow'],
  ['12-4111-1111-1111-1111', 'it is the end of a longer number'],
  ['4111, 1111, 1111, 1111', 'commas are between groups'],
  ['4.111.111.111.111.111', 'dots are between thousands'],
  ['4111.1111.1111.1111.1', 'a dot and a digit follow'],
])('finds no card number in %s, where %s', (text) => {
  const matched = findMatched([{ kind: 'credit_card' }], `see ${text} here`);

  expect(matched).toEqual([]);
});

it('finds a card number in a row of other numbers', () => {
  const matched = findMatched([{ kind: 'credit_card' }], '17 4111 1111 1111 1111 12/27 123');

  expect(matched).toEqual(['4111 1111 1111 1111']);
});
