import { expect, it } from '@jest/globals';
import { findMatched } from '../../../support/matched-texts.js';

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
  '1.2.3.4.5',
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
