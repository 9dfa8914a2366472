import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each([
  'jane@example.com',
  'Jane.Doe+news@mail.example.co.uk',
  "o'brien_7@example.museum",
  'jürgen@exämple.de',
  'иван@пример.рф',
  'a@xn--exmple-cua.xn--p1ai',
])('finds the address %s in a sentence', (address) => {
  const matched = findMatched([{ kind: 'email' }], `Write to <${address}>, "${address}" or ${address}.`);

  expect(matched).toEqual([address, address, address]);
});

it.each(['jane@example', '@example.com', 'jane@', '@Injectable()', 'left@2.0', 'logo@2x.png', 'a @ b.com', 'x@.com'])(
  'finds no address in %s',
  (text) => {
    const matched = findMatched([{ kind: 'email' }], `${text} and more`);

    expect(matched).toEqual([]);
  },
);

it('ends an address before what cannot be in a domain', () => {
  const matched = findMatched([{ kind: 'email' }], 'jane@example.com-jane, joe@example.com_x, ann@example.com..');

  expect(matched).toEqual(['jane@example.com', 'joe@example.com', 'ann@example.com']);
});

it('takes the last 64 characters of a longer local part', () => {
  const matched = findMatched([{ kind: 'email' }], `${'a'.repeat(100)}@example.com`);

  expect(matched).toEqual([`${'a'.repeat(64)}@example.com`]);
});

it('takes no letters of scripts without spaces into an address', () => {
  const matched = findMatched([{ kind: 'email' }], '请写信给jane@example.com谢谢');

  expect(matched).toEqual(['jane@example.com']);
});
