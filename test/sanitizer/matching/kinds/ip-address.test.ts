import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/probes/matched-texts.js';

it.each(['10.0.0.1', '1.2.3.4', '255.255.255.255', '2001:db8::1', 'fe80::1', '::ffff:10.0.0.1', '1:2:3:4:5:6:7:8'])(
  'finds %s with what may stand around it',
  (address) => {
    const matched = findMatched([{ kind: 'ip' }], `from ${address}, [${address}] ip: ${address}.`);

    expect(matched).toEqual([address, address, address]);
  },
);

it('leaves ports, networks and labels outside', () => {
  const matched = findMatched(
    [{ kind: 'ip' }],
    '10.0.0.1:8080 10.0.0.0/24 ip:2001:db8::1 facade:fe80::1 host:10.0.0.2',
  );

  expect(matched).toEqual(['10.0.0.1', '10.0.0.0', '2001:db8::1', 'fe80::1', '10.0.0.2']);
});

it.each([
  ['Try 10.0.0.1... again', ['10.0.0.1']],
  ['10.0.0.1. Then', ['10.0.0.1']],
  ['10.0.0.1.Then', ['10.0.0.1']],
  ['10.0.0.1..10.0.0.9', ['10.0.0.1', '10.0.0.9']],
  ['fe80::1... again', ['fe80::1']],
  ['fe80::1.Then', ['fe80::1']],
  [`fe80::1 ${'.'.repeat(60)} 7`, ['fe80::1']],
  [`fe80::1${'.'.repeat(60)}7`, ['fe80::1']],
])('takes no dots of the sentence %j into an address', (text, addresses) => {
  const matched = findMatched([{ kind: 'ip' }], text);

  expect(matched).toEqual(addresses);
});

it.each(['fdaa::1', 'add::1', 'dead::1', 'fe80::', '2001:db8::'])(
  'takes %s for an address, since its first group has three digits or more and one of all is decimal',
  (address) => {
    const matched = findMatched([{ kind: 'ip' }], `route ${address} here`);

    expect(matched).toEqual([address]);
  },
);

it.each([
  'Version 4.2.1.7',
  'version: 4.2.1.7',
  '"version":"4.2.1.7"',
  'ver. 4.2.1.7',
  'v 4.2.1.7',
  'Versions=4.2.1.7',
])('takes no version for an address: %s', (text) => {
  const matched = findMatched([{ kind: 'ip' }], `see ${text} here`);

  expect(matched).toEqual([]);
});

it.each(['server 10.0.0.1', 'conversion 10.0.0.1', 'release 10.0.0.1', 'IPv4 10.0.0.1'])(
  'finds the address in %s, where no word says that it is a version',
  (text) => {
    const matched = findMatched([{ kind: 'ip' }], text);

    expect(matched).toEqual(['10.0.0.1']);
  },
);

it.each([
  '1.2.3.4.5',
  '1.2.3.4x',
  '1.2.3.4567',
  'v1.2.3.4',
  '256.1.1.1',
  '1.2.3',
  '01.02.03.04',
  'std::vector',
  'add::bad',
  'a[::2]',
  '10:11:12',
  '00:1a:2b:3c:4d:5e',
  'x::1',
])('finds no address in %s', (text) => {
  const matched = findMatched([{ kind: 'ip' }], `see ${text} here`);

  expect(matched).toEqual([]);
});
